import type { Matcher } from '../api/monitoring/v1alpha1/alertmanager-config.ts';
import type { Problems } from './problems.ts';
import { checkRegex } from './relabel.ts';

const labelForm = /^[a-zA-Z_]\w*$/;

/** Returns a matcher as Alertmanager writes it, such as `severity=~"critical|warning"`. */
export function matcherText(matcher: Matcher, path: string, problems: Problems): string {
  const { name, value = '', regex = false } = matcher;
  const type = matcher.matchType ?? (regex ? '=~' : '=');
  if (!labelForm.test(name)) problems.add(`${path}.name`, `expected the name of a label, got "${name}"`);
  if (type.includes('~')) checkRegex(value, `${path}.value`, problems);
  return `${name}${type}${quote(value)}`;
}

/** Returns a text as a matcher has it. Source: parse.go of alertmanager/pkg/labels, which knows three escapes. */
export function quote(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`);
  return `"${escaped}"`;
}
