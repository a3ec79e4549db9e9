/** RFC 3339 in whole seconds, as `metav1.Time` writes it. */
export function currentTime(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z');
}
