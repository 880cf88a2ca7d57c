/** A credential that shows itself to nobody who prints, logs or serialises what holds it. */
export interface ApiKey {
  reveal(): string;
  toJSON(): string;
}

export function hideKey(value: string): ApiKey {
  return { reveal: () => value, toJSON: () => "(set)" };
}
