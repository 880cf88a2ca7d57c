/** A credential that shows itself to nobody who prints, logs or serialises what holds it. */
export interface ApiKey {
  reveal(): string;
  toJSON(): string;
}

export function hideKey(value: string): ApiKey {
  return { reveal: () => value, toJSON: () => "(set)" };
}

/** Options among which some are credentials: those are shown to nobody either. */
export interface HiddenOptions {
  reveal(): Readonly<Record<string, string>>;
  toJSON(): Readonly<Record<string, string>>;
}

export function hideSecrets(options: Readonly<Record<string, string>>): HiddenOptions {
  const shown = Object.entries(options).map(([name, value]) => [
    name,
    SECRET.test(name) ? "(set)" : value,
  ]);
  return { reveal: () => options, toJSON: () => Object.fromEntries(shown) };
}

const SECRET = /key|secret|token|password|credential|sas/i;
