/** Reads the property lists that we write: a strict reader of their few elements, which throws at anything else. */
export function parsePlist(text: string): unknown {
  const tokens = text
    .replace(/^<\?xml[^>]*\?>\s*<!DOCTYPE[^>]*>\s*/, "")
    .split(/(<[^>]+>)/)
    .filter((token) => token.trim() !== "");
  const next = (expected?: string): string => {
    const token = tokens.shift();
    if (token === undefined || (expected !== undefined && token !== expected)) {
      throw new Error(`expected ${expected ?? "more"}, got ${token}`);
    }
    return token;
  };
  const value = (): unknown => {
    const tag = next();
    if (tag === "<true/>") return true;
    if (tag === "<string>" || tag === "<integer>") {
      const content = characters(next());
      next(tag.replace("<", "</"));
      return tag === "<string>" ? content : Number(content);
    }
    if (tag === "<array>") return list("</array>", value);
    if (tag !== "<dict>") throw new Error(`unexpected ${tag}`);
    return Object.fromEntries(
      list("</dict>", () => {
        next("<key>");
        const key = characters(next());
        next("</key>");
        return [key, value()];
      }),
    );
  };
  const list = <T>(end: string, item: () => T): T[] => {
    const items: T[] = [];
    while (tokens[0] !== end) items.push(item());
    next(end);
    return items;
  };
  next('<plist version="1.0">');
  const parsed = value();
  next("</plist>");
  if (tokens.length > 0) throw new Error(`unexpected ${tokens[0]}`);
  return parsed;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&" };

function characters(text: string): string {
  return text.replace(/&(\w*);?/g, (entity, name: string) => {
    const character = ENTITIES[name];
    if (character === undefined) throw new Error(`unknown entity ${entity}`);
    return character;
  });
}
