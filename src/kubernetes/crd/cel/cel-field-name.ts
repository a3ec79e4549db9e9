/** Names that an expression may not use as they are. Source: kube's `apiserver/pkg/cel/escaping.go`. */
const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** Returns true if an expression can name a field. */
export function hasCelName(field: string): boolean {
  return /^[a-zA-Z_./-][\w./-]*$/.test(field);
}

/** A field's name as an expression writes it. Source: kube's `apiserver/pkg/cel/escaping.go`. */
export function celName(field: string): string {
  if (reserved.has(field)) return `__${field}__`;
  return field
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
}
