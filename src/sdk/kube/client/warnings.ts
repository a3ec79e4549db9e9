/** Reports each distinct text once, so that a warning on every reconcile does not flood the log. Remembers the last 1,000. */
export function reportOnce(report: (text: string) => void): (text: string) => void {
  const seen = new Set<string>();
  return (text) => {
    if (seen.has(text)) return;
    if (seen.size >= 1000)
      for (const oldest of seen.values()) {
        seen.delete(oldest);
        break;
      }
    seen.add(text);
    report(text);
  };
}

/** The texts of a `Warning` header: `299 - "deprecated", 299 - "other"`. Source: RFC 7234 section 5.5. */
export function parseWarnings(header: string | undefined): readonly string[] {
  if (header === undefined) return [];
  return [...header.matchAll(/\b\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
    text.replaceAll(/\\(.)/g, '$1'),
  );
}
