/** The 32-bit FNV-1a hash of a text's UTF-8, as 8 hexadecimal digits. Source: http://www.isthe.com/chongo/tech/comp/fnv/ */
export function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text, 'utf8')) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
