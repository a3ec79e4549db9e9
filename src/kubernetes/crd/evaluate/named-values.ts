import {
  dns1035Problems,
  fitsFormat,
  labelProblems,
  labelValueProblems,
  qualifiedNameProblems,
  subdomainProblems,
} from '../../objects/index.ts';
import { uriProblems } from './network.ts';
import { textArg, type CelFunctions } from './overloads.ts';
import { CelFault, CelOptional, LibraryValue, noOverload, type CelValue } from './values.ts';

/** A format that `format.named` gives. Source: apiserver `pkg/cel/library/format.go`. */
export class NamedFormat extends LibraryValue {
  readonly type = 'kubernetes.NamedFormat';
  readonly name: string;
  readonly problems: (text: string) => readonly string[];

  constructor(name: string, problems: (text: string) => readonly string[]) {
    super();
    this.name = name;
    this.problems = problems;
  }

  equals(other: LibraryValue): boolean {
    return other instanceof NamedFormat && other.name === this.name;
  }
}

const fits =
  (format: string, problem: string) =>
  (text: string): readonly string[] =>
    fitsFormat(format, text) ? [] : [problem];

/** A prefix may end with a hyphen, because a suffix follows. Source: apimachinery `pkg/api/validation/generic.go` `maskTrailingDash`. */
const asPrefix =
  (problems: (text: string) => readonly string[]) =>
  (text: string): readonly string[] =>
    problems(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);

const formats: Readonly<Record<string, (text: string) => readonly string[]>> = {
  dns1123Label: labelProblems,
  dns1123LabelPrefix: asPrefix(labelProblems),
  dns1123Subdomain: subdomainProblems,
  dns1123SubdomainPrefix: asPrefix(subdomainProblems),
  dns1035Label: dns1035Problems,
  dns1035LabelPrefix: asPrefix(dns1035Problems),
  qualifiedName: qualifiedNameProblems,
  labelValue: labelValueProblems,
  uri: uriProblems,
  uuid: fits('uuid', 'does not match the UUID format'),
  byte: fits('byte', 'invalid base64'),
  date: fits('date', 'invalid date'),
  datetime: fits('datetime', 'invalid datetime'),
};

function formatOf(name: string): CelOptional {
  const problems = formats[name];
  return new CelOptional(problems === undefined ? undefined : new NamedFormat(name, problems));
}

/** A semantic version. Source: blang/semver, apiserver `pkg/cel/library/semverlib.go`. */
export class Semver extends LibraryValue {
  readonly type = 'kubernetes.Semver';
  readonly numbers: readonly bigint[];
  readonly prerelease: readonly string[];

  constructor(numbers: readonly bigint[], prerelease: readonly string[]) {
    super();
    this.numbers = numbers;
    this.prerelease = prerelease;
  }

  equals(other: LibraryValue): boolean {
    return other instanceof Semver && this.compareTo(other) === 0;
  }

  compareTo(other: Semver): number {
    for (const [index, own] of this.numbers.entries()) {
      const theirs = other.numbers[index] ?? 0n;
      if (own !== theirs) return own < theirs ? -1 : 1;
    }
    const [a, b] = [this.prerelease, other.prerelease];
    if (a.length === 0 || b.length === 0) return Math.sign(b.length - a.length);
    for (let index = 0; index < Math.min(a.length, b.length); index++) {
      const difference = comparePart(a[index] ?? '', b[index] ?? '');
      if (difference !== 0) return difference;
    }
    return Math.sign(a.length - b.length);
  }
}

function comparePart(a: string, b: string): number {
  const [isNumber, isOther] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber !== isOther) return isNumber ? -1 : 1;
  if (isNumber) return BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** @throws CelFault */
function parseSemver(text: string): Semver {
  if (text === '') throw new CelFault('Version string empty');
  const [major = '', minor, ...more] = text.split('.');
  if (minor === undefined || more.length === 0) throw new CelFault('No Major.Minor.Patch elements found');
  const [, patch = '', pre, build] = /^([^+-]*)(?:-([^+]*))?(?:\+(.*))?$/s.exec(more.join('.')) ?? [];
  const numbers = [
    versionNumber(major, 'major'),
    versionNumber(minor, 'minor'),
    versionNumber(patch, 'patch'),
  ];
  const prerelease = pre?.split('.') ?? [];
  for (const part of prerelease) {
    if (part === '') throw new CelFault('Prerelease is empty');
    if (/^0\d+$/.test(part))
      throw new CelFault(
        `Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(part)}`,
      );
    if (!/^[\dA-Za-z-]+$/.test(part))
      throw new CelFault(`Invalid character(s) found in prerelease ${JSON.stringify(part)}`);
  }
  for (const part of build?.split('.') ?? []) {
    if (part === '') throw new CelFault('Build meta data is empty');
    if (!/^[\dA-Za-z-]+$/.test(part))
      throw new CelFault(`Invalid character(s) found in build meta data ${JSON.stringify(part)}`);
  }
  return new Semver(numbers, prerelease);
}

function versionNumber(text: string, name: string): bigint {
  if (/[^\d]/.test(text))
    throw new CelFault(`Invalid character(s) found in ${name} number ${JSON.stringify(text)}`);
  if (/^0\d/.test(text))
    throw new CelFault(
      `${name.charAt(0).toUpperCase()}${name.slice(1)} number must not contain leading zeroes ${JSON.stringify(text)}`,
    );
  if (text === '') throw new CelFault('strconv.ParseUint: parsing "": invalid syntax');
  if (BigInt(text) >= 1n << 64n)
    throw new CelFault(`strconv.ParseUint: parsing ${JSON.stringify(text)}: value out of range`);
  return BigInt(text);
}

function normalized(text: string): string {
  const parts = text.replace(/^v/, '').split('.');
  const three = [...parts.slice(0, 2), ...(parts.length > 2 ? [parts.slice(2).join('.')] : [])].map(
    (part) => {
      if (part.length <= 1) return part;
      const rest = part.replace(/^0+/, '');
      return /^\d/.test(rest) ? rest : `0${rest}`;
    },
  );
  if (three.length < 3) {
    if (/[+-]/.test(three.at(-1) ?? ''))
      throw new CelFault('short version cannot contain PreRelease/Build meta data');
    while (three.length < 3) three.push('0');
  }
  return three.join('.');
}

function semverOf(args: readonly CelValue[]): Semver {
  const text = textArg(args, 0);
  const isLoose = args[1] ?? false;
  if (typeof isLoose !== 'boolean') throw noOverload();
  return parseSemver(isLoose ? normalized(text) : text);
}

function isSemver(args: readonly CelValue[]): boolean {
  textArg(args, 0);
  try {
    semverOf(args);
    return true;
  } catch {
    return false;
  }
}

function semverArg(args: readonly CelValue[], index: number): Semver {
  const value = args[index];
  if (!(value instanceof Semver)) throw noOverload();
  return value;
}

const order = (args: readonly CelValue[]): number => semverArg(args, 0).compareTo(semverArg(args, 1));
const part = (args: readonly CelValue[], index: number): bigint => semverArg(args, 0).numbers[index] ?? 0n;

/** Functions of formats and of semantic versions. */
export const namedFunctions: CelFunctions = {
  'format.named': (args) => formatOf(textArg(args, 0)),
  ...Object.fromEntries(
    Object.entries(formats).map(([name, problems]) => [
      `format.${name}`,
      () => new NamedFormat(name, problems),
    ]),
  ),
  '.validate': (args) => {
    const [format] = args;
    if (!(format instanceof NamedFormat)) throw noOverload();
    const problems = format.problems(textArg(args, 1));
    return new CelOptional(problems.length === 0 ? undefined : problems);
  },
  semver: semverOf,
  isSemver,
  '.isGreaterThan': (args) => order(args) > 0,
  '.isLessThan': (args) => order(args) < 0,
  '.compareTo': (args) => BigInt(order(args)),
  '.major': (args) => part(args, 0),
  '.minor': (args) => part(args, 1),
  '.patch': (args) => part(args, 2),
};
