/** Matches an initial letter that is spelled out and whose name begins with a vowel sound: `an HTTPRoute`, but `a URL`. */
const vowelLetters = /^[AEFHILMNORSX](?=[A-Z\d])/;
/** Matches abbreviations that are pronounced as words and not spelled out. */
const spoken = /^(?:NAT|NATS|LAN|RAM|RAID|SAN|ROM|REST|MAC|LUN|SIM|SOAP|LAMP)(?![A-Z]{2}|[a-z])/;
/** Matches initial vowels that sound like a consonant. */
const consonantSound = /^(?:eu|ewe|uni(?!n|m)|us[aeu]|ut[ei]|ubiq)/i;
const one = /^[Oo]n(?:e|ce)(?![a-z])/;
const silentH = /^(?:hour|honest|honou?r|heir)/i;

/** Returns a noun, such as the name of a kind, with the article that fits its sound: `an EtcdCluster`, `a User`, `an HTTPRoute`. */
export function withArticle(noun: string): string {
  return `${soundsLikeVowel(noun) ? 'an' : 'a'} ${noun}`;
}

function soundsLikeVowel(noun: string): boolean {
  if (/^[A-Z](?=[A-Z\d])/.test(noun))
    return spoken.test(noun) ? /^[AEIOU]/.test(noun) : vowelLetters.test(noun);
  return silentH.test(noun) || (/^[aeiou]/i.test(noun) && !consonantSound.test(noun) && !one.test(noun));
}

/** Formats a number with its noun, whose plural ends in `s`: `1 object`, `2 objects`. */
export function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats items as a sentence lists them: `a`, `a or b`, `a, b or c`. */
export function listText(items: readonly string[], word: 'and' | 'or'): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1) ?? ''}`;
}

/** Formats text as a Markdown code span. Escapes vertical bars, which would end a table cell even inside a code span. */
export function codeSpan(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  const space = text.includes('`') ? ' ' : '';
  return `${fence}${space}${text.replaceAll('|', '\\|').replaceAll('\n', ' ')}${space}${fence}`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for use in HTML, as the content of an element or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
