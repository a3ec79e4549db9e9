/** Keeps secrets out of all that is said: messages of servers may quote what they were sent. */
export interface Redactor {
  /** From now on, no text shows this. */
  hide(secret: string): void;
  /** One line without control characters, not longer than `longest` characters, with `***` in place of secrets. */
  clean(text: string, longest?: number): string;
}

/** @param longest see {@link Redactor.clean}; default 300 */
export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  return {
    hide(secret) {
      // Shorter ones would make texts unreadable and are no secrets.
      if (secret.length < 4) return;
      secrets.add(secret).add(encodeURIComponent(secret)).add(JSON.stringify(secret).slice(1, -1));
    },
    clean(text, longest = 300) {
      let clean = text;
      for (const secret of [...secrets].sort((a, b) => b.length - a.length))
        clean = clean.replaceAll(secret, '***');
      clean = clean.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g, ' ').trim();
      return clean.length > longest ? `${clean.slice(0, longest)}…` : clean;
    },
  };
}
