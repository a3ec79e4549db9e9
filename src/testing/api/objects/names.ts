/** Rules for names and labels, with the server's messages. Source: apimachinery `pkg/util/validation/validation.go`. */
const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;
const qualified = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValue = `(${qualified})?`;

const byteLength = (text: string): number => Buffer.byteLength(text);
const tooLong = (most: number): string => `must be no more than ${most} bytes`;

function regexError(message: string, format: string, ...examples: readonly string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${message} (e.g. ${shown}regex used for validation is '${format}')`;
}

export function subdomainProblems(name: string): readonly string[] {
  const message =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  return [
    ...(byteLength(name) > 253 ? ['must be no more than 253 characters'] : []),
    ...(new RegExp(`^${subdomain}$`).test(name) ? [] : [regexError(message, subdomain, 'example.com')]),
  ];
}

export function labelProblems(name: string): readonly string[] {
  const message =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  return [
    ...(byteLength(name) > 63 ? ['must be no more than 63 bytes'] : []),
    ...(new RegExp(`^${label}$`).test(name)
      ? []
      : [name.includes('.') ? 'must not contain dots' : regexError(message, label, 'my-name', '123-abc')]),
  ];
}

export function dns1035Problems(name: string): readonly string[] {
  const format = '[a-z]([-a-z0-9]*[a-z0-9])?';
  const message =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  return [
    ...(byteLength(name) > 63 ? ['must be no more than 63 bytes'] : []),
    ...(new RegExp(`^${format}$`).test(name) ? [] : [regexError(message, format, 'my-name', 'abc-123')]),
  ];
}

/** Names that are only parts of paths, as those of roles. */
export function pathSegmentProblems(name: string, isPrefix = false): readonly string[] {
  if (!isPrefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%'].filter((sign) => name.includes(sign)).map((sign) => `may not contain '${sign}'`);
}

export function qualifiedNameProblems(key: string): readonly string[] {
  const message =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  const parts = key.split('/');
  const problems: string[] = [];
  let name = key;
  if (parts.length === 2) {
    const [prefix = '', rest = ''] = parts;
    name = rest;
    if (prefix === '') problems.push('prefix part must be non-empty');
    else problems.push(...subdomainProblems(prefix).map((problem) => `prefix part ${problem}`));
  } else if (parts.length > 2) {
    return [
      `a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${qualified}') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  if (name === '') problems.push('name part must be non-empty');
  else if (byteLength(name) > 63) problems.push(`name part ${tooLong(63)}`);
  if (!new RegExp(`^${qualified}$`).test(name))
    problems.push(regexError(message, qualified, 'MyName', 'my.name', '123-abc'));
  return problems;
}

export function labelValueProblems(value: string): readonly string[] {
  const message =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  return [
    ...(byteLength(value) > 63 ? [tooLong(63)] : []),
    ...(new RegExp(`^${labelValue}$`).test(value)
      ? []
      : [regexError(message, labelValue, 'MyValue', 'my_value', '12345')]),
  ];
}
