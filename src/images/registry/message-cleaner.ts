import { createRedactor, secrets } from '../../sdk/net/index.ts';

/** Keeps secrets out of all that is said of one registry: messages of servers may quote what they were sent. */
export interface MessageCleaner {
  /** A credential: from now on, nothing in this process shows it. */
  hide(secret: string): void;
  /** A part of a signed URL, perhaps an ordinary word: messages about this registry do not show it. */
  hideHere(value: string): void;
  /** One line without control characters, not longer than `longest` characters, with `***` in place of secrets. */
  clean(text: string, longest?: number): string;
}

/** @param longest see {@link MessageCleaner.clean}; default 300 */
export function createMessageCleaner(): MessageCleaner {
  const own = createRedactor(secrets);
  return {
    hide: (secret) => void secrets.hide(secret),
    hideHere: (value) => void own.hide(value),
    clean(text, longest = 300) {
      const clean = own
        .redact(text)
        .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g, ' ')
        .trim();
      return clean.length > longest ? `${clean.slice(0, longest)}…` : clean;
    },
  };
}
