/** The items of a flag that are separated by commas, without blanks around them; empty ones are left out. */
export function commaList(value: string): readonly string[] {
  return value.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]));
}
