/** Texts that run where a page takes them for HTML, for an address, or for part of a script; each calls `hit`. */
export const hostileTexts: readonly string[] = [
  '<script>window.hit=1</script>',
  '"><img src=x onerror=window.hit=1>',
  "'><svg onload=window.hit=1>",
  '</title></style></textarea></pre><script>window.hit=1</script>',
  'javascript:window.hit=1',
  '[a](javascript:window.hit=1) <a href="javascript:window.hit=1">a</a>',
  '![x](https://evil.example/x.png) <img src="https://evil.example/y.png">',
  '<iframe srcdoc="<script>parent.hit=1</script>"></iframe>',
  '<details open ontoggle=window.hit=1>',
  '{{constructor.constructor("window.hit=1")()}} ${window.hit=1}',
  '<link rel=stylesheet href=https://evil.example/x.css><meta http-equiv=refresh content="0;url=https://evil.example/">',
  '\u202e\u0000\ufeff--><!--<script>window.hit=1</script>',
];

/** A value with another text in the place of each of its own; what is read as a name of something, or as JSON, keeps its form. */
export function withTexts(value: unknown, text: string, key = ''): unknown {
  if (key === 'kind' || key === 'apiVersion' || key === 'type' || key === 'base64data') return value;
  if (key === 'alm-examples' && typeof value === 'string')
    return JSON.stringify(withTexts(JSON.parse(value) as unknown, text));
  // Samples are found by these.
  if (typeof value === 'string') return /^(?:sites\.example\.com|v1)$/.test(value) ? value : text;
  if (Array.isArray(value)) return value.map((item) => withTexts(item, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withTexts(item, text, name)]));
}
