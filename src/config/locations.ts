import path from "node:path";

/** What the default places depend on, given rather than read so that every platform can be tested on any. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly homeFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** `$SLOWWAVE_HOME/store`, else the platform's data folder. */
export function defaultStore(machine: Machine): string {
  const home = homeOverride(machine);
  return path.join(home ?? dataFolder(machine), "store");
}

/** `$SLOWWAVE_HOME/config.yaml`, else the platform's configuration folder. */
export function defaultConfigFile(machine: Machine): string {
  const home = homeOverride(machine);
  return path.join(home ?? configFolder(machine), "config.yaml");
}

/** `$SLOWWAVE_HOME/cache`, else the platform's folder for what may be deleted at any time. */
export function defaultCache(machine: Machine): string {
  const home = homeOverride(machine);
  return home === undefined ? cacheFolder(machine) : path.join(home, "cache");
}

function cacheFolder({ platform, homeFolder, env }: Machine): string {
  if (platform === "darwin") return path.join(homeFolder, "Library/Caches/slowwave");
  if (platform === "win32") {
    return path.join(
      env.LOCALAPPDATA ?? path.join(homeFolder, "AppData", "Local"),
      "slowwave",
      "cache",
    );
  }
  return path.join(absolute(env.XDG_CACHE_HOME) ?? path.join(homeFolder, ".cache"), "slowwave");
}

function homeOverride({ env }: Machine): string | undefined {
  return env.SLOWWAVE_HOME ? path.resolve(env.SLOWWAVE_HOME) : undefined;
}

function dataFolder({ platform, homeFolder, env }: Machine): string {
  if (platform === "darwin") return path.join(homeFolder, "Library/Application Support/slowwave");
  if (platform === "win32") {
    return path.join(env.LOCALAPPDATA ?? path.join(homeFolder, "AppData", "Local"), "slowwave");
  }
  return path.join(
    absolute(env.XDG_DATA_HOME) ?? path.join(homeFolder, ".local/share"),
    "slowwave",
  );
}

function configFolder({ platform, homeFolder, env }: Machine): string {
  if (platform === "darwin") return path.join(homeFolder, "Library/Application Support/slowwave");
  if (platform === "win32") {
    return path.join(env.APPDATA ?? path.join(homeFolder, "AppData", "Roaming"), "slowwave");
  }
  return path.join(absolute(env.XDG_CONFIG_HOME) ?? path.join(homeFolder, ".config"), "slowwave");
}

/** The XDG specification: a path that is not absolute is to be ignored. */
function absolute(folder: string | undefined): string | undefined {
  return folder !== undefined && path.isAbsolute(folder) ? folder : undefined;
}
