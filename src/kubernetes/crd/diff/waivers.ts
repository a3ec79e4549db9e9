import { type Finding, type Where, FindingList } from '../../../base/errors/index.ts';
import {
  anyObject,
  described,
  list,
  mapped,
  object,
  oneOf,
  string,
  withSchema,
} from '../../../base/util/json-reader.ts';
import {
  documentStyle,
  invalid,
  problemFindings,
  readJson,
  type JsonPath,
  type JsonReader,
  placeInside,
  readAt,
} from '../../../base/util/read-json.ts';
import { parseKubernetesYaml } from '../../yaml/index.ts';
import { closestName } from '../../../base/util/terminal-words.ts';
import { type ChangeCode, changeCodes, severities, type Severity } from './change-codes.ts';
import type { CrdChange } from './change.ts';

/** Change that a person has reviewed and accepted until a date. */
export interface Waiver {
  readonly code: ChangeCode;
  readonly crd: string;
  /** Version of the change; undefined if the waiver accepts the change in all versions. */
  readonly version: string | undefined;
  readonly path: string;
  /** Message of the change; undefined if the waiver accepts the change with any message. */
  readonly message: string | undefined;
  readonly reason: string;
  /** Last day on which the waiver is valid, in UTC, for example `2027-01-31`. */
  readonly until: string;
  readonly where: Where;
}

interface WaivedChanges {
  readonly changes: readonly CrdChange[];
  /** Findings `diff/waiver-expired`, `diff/waiver-unused` and `diff/waiver-ambiguous`. */
  readonly warnings: readonly Finding[];
}

/**
 * Marks the changes that match a waiver. Expired waivers are ignored, so that their changes are reported again.
 * @param today current day, in the same format as `until` in {@link Waiver}
 */
export function waiveChanges(
  changes: readonly CrdChange[],
  waivers: readonly Waiver[],
  today: string,
): WaivedChanges {
  const valid = waivers.filter(({ until }) => until >= today);
  const warnings = waivers.flatMap((waiver): readonly Finding[] => {
    if (waiver.until < today) return [expired(waiver)];
    const about = changes.filter((change) => isAbout(waiver, change));
    if (about.length === 0) return [unused(waiver)];
    return isOneChange(about) ? [] : [ambiguous(waiver, about)];
  });
  const marked = changes.map((change) => {
    const waiver = valid.find((each) => isAbout(each, change));
    if (waiver === undefined) return change;
    return { ...change, waived: { reason: waiver.reason, until: waiver.until } };
  });
  return { changes: marked, warnings };
}

function isAbout({ code, crd, version, path, message }: Waiver, change: CrdChange): boolean {
  return (
    code === change.code &&
    crd === change.crd &&
    path === change.path &&
    (message === undefined || message === change.message) &&
    (version === undefined || version === change.version)
  );
}

/** Returns true if all changes in the list are the same change, in one or several versions. */
function isOneChange(changes: readonly CrdChange[]): boolean {
  const versions = new Set(changes.map(({ version }) => version));
  return versions.size === changes.length && new Set(changes.map(({ message }) => message)).size === 1;
}

function titleOf({ code, crd, version, path, message }: Waiver): string {
  const said = message === undefined ? '' : ` (${message})`;
  return `${code} at ${path} of ${crd}${version === undefined ? '' : ` ${version}`}${said}`;
}

function expired(waiver: Waiver): Finding {
  return {
    code: 'diff/waiver-expired',
    message: `the waiver of ${titleOf(waiver)} expired on ${waiver.until}`,
    where: waiver.where,
    fix: ['remove the waiver, or decide again on the change and set another date in the waiver'],
  };
}

function unused(waiver: Waiver): Finding {
  return {
    code: 'diff/waiver-unused',
    message: `unused waiver: no change matches ${titleOf(waiver)}`,
    where: waiver.where,
    fix: ['remove the waiver, or write its code, crd, version, path and message as `-o json` prints them'],
  };
}

function ambiguous(waiver: Waiver, changes: readonly CrdChange[]): Finding {
  const messages = [...new Set(changes.map(({ message }) => message))];
  return {
    code: 'diff/waiver-ambiguous',
    message: `the waiver of ${titleOf(waiver)} matches ${changes.length} changes: ${messages.join('; ')}`,
    where: waiver.where,
    fix: [
      'add to the waiver the `message` of the change that is accepted, as `-o json` prints it; write a waiver for each such change',
    ],
  };
}

/**
 * Reads a file of waivers.
 *
 *     waivers:
 *     - code: field-removed
 *       crd: orders.shop.example.com
 *       version: v1
 *       path: .spec.note
 *       reason: was never read, and nobody has set it
 *       until: 2027-01-31
 *
 * @param file name of the file in findings
 * @throws OpSdkError `diff/invalid-waiver`, `io/…`
 */
export function readWaivers(text: string, file: string): readonly Waiver[] {
  const findings = new FindingList();
  const waivers: Waiver[] = [];
  for (const document of parseKubernetesYaml(text, file)) {
    const locate = (path: JsonPath) => document.locate(path);
    const { value: read, problems } = readJson(waiversReader, document.value, 'the file', {
      style: documentStyle,
    });
    findings.add(...problemFindings(problems, locate, () => invalidWaiver));
    for (const { path, ...waiver } of read?.waivers ?? [])
      waivers.push({ ...waiver.said, where: locate(path) });
  }
  findings.throwIfAny();
  return waivers;
}

const invalidWaiver: Finding['code'] = 'diff/invalid-waiver';

/** Reads a text, and refuses a blank one. */
const said = (description: string, ...examples: readonly string[]): JsonReader<string> =>
  described(
    description,
    mapped(string, (text, place) =>
      text.trim() === '' ? invalid(place, 'expected text, got none', 'write it out') : text.trim(),
    ),
    { pattern: '\\S', ...(examples.length === 0 ? {} : { examples }) },
  );

const code: JsonReader<ChangeCode> = mapped(
  described('Code of the change, as `op-sdk crd diff` prints it.', string, {
    enum: Object.keys(changeCodes),
  }),
  (text, place) =>
    isChangeCode(text)
      ? text
      : invalid(place, `unknown code of a change ${JSON.stringify(text)}`, codeFix(text)),
);

/** A day; in YAML 1.1, a day such as `2027-01-31` is a date, which is read as a time in UTC. */
const dayForm = /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?:T00:00:00(?:\.000)?Z)?$/;

const day: JsonReader<string> = mapped(string, (text, place) => {
  const [, date] = dayForm.exec(text) ?? [];
  if (date !== undefined && isDay(date)) return date;
  return invalid(place, `expected a day, got ${JSON.stringify(text)}`, 'write it as 2027-01-31');
});

/** Returns true for a date that exists. JavaScript parses invalid dates such as February 30th to another day or to an invalid time. */
function isDay(date: string): boolean {
  const time = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(date);
}

interface Read {
  readonly path: JsonPath;
  readonly said: Omit<Waiver, 'where'>;
}

const waiver: JsonReader<Read> = mapped(
  object(
    {
      code,
      crd: said('Name of the CustomResourceDefinition.', 'orders.shop.example.com'),
      version: said('Version of the change. Default: the change is accepted in all versions.', 'v1'),
      path: said('Path of the changed field.', '.spec.note'),
      message: described(
        'Message of the change, exactly as `-o json` prints it. Default: changes with any message are accepted.',
        string,
      ),
      reason: said('Why the change is accepted.'),
      until: described('Last day on which the waiver holds.', day, {
        pattern: dayForm.source,
        examples: ['2027-01-31'],
      }),
    },
    {
      required: {
        code: 'add the code of the change, as `op-sdk crd diff` prints it',
        crd: 'add the name of the CustomResourceDefinition, such as orders.shop.example.com',
        path: 'add the path of the change, such as .spec.note',
        reason: 'add why the change is accepted',
        until: 'add the last day on which the waiver holds, such as 2027-01-31',
      },
    },
  ),
  ({ code: known, crd, version, path, message, reason, until }, place) =>
    known === undefined ||
    crd === undefined ||
    path === undefined ||
    reason === undefined ||
    until === undefined
      ? undefined
      : { path: place.path, said: { code: known, crd, version, path, message, reason, until } },
);

/** Reads a document of a file of waivers. */
export const waiversReader = object(
  { waivers: described('Changes that are accepted until a day, each with its reason.', list(waiver)) },
  { required: { waivers: 'write a list of waivers below `waivers:`' } },
);

/** Severities that a project sets and that replace those of {@link changeCodes}. */
export type Severities = Readonly<Partial<Record<ChangeCode, Severity>>>;

export function isChangeCode(code: string): code is ChangeCode {
  return Object.hasOwn(changeCodes, code);
}

/**
 * Suggests change codes that the user may have meant: first the code that needs the fewest edits, then codes that share words with the
 * given code. Words that few codes contain count more.
 */
function nearestCodes(code: string): readonly ChangeCode[] {
  const codes = Object.keys(changeCodes) as ChangeCode[];
  const words = new Set(code.toLowerCase().split(/[^a-z]+/));
  const rarity = (word: string): number => 1 / codes.filter((each) => each.split('-').includes(word)).length;
  const shared = (other: string): number =>
    other
      .split('-')
      .filter((word) => words.has(word))
      .reduce((sum, word) => sum + rarity(word), 0);
  const closest = codes.filter((each) => each === closestName(code, codes));
  const related = codes.filter((each) => shared(each) > 0).sort((a, b) => shared(b) - shared(a));
  return [...new Set([...closest, ...related])].slice(0, 5);
}

/** Returns the text of the fix for an unknown change code. */
export function codeFix(code: string): string {
  const nearest = nearestCodes(code);
  return nearest.length === 0
    ? 'write a code that `op-sdk crd diff` prints, such as enum-value-added'
    : `write one of ${nearest.join(', ')}`;
}

const severity = oneOf(...severities);

/** Reads severities by change code, for example `{"enum-value-added": "breaking"}`. */
const severitiesReader: JsonReader<Severities> = withSchema(
  () => ({
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(changeCodes).map(([code, { severity: byDefault, explain }]) => [
        code,
        { description: explain, type: 'string', enum: severities, default: byDefault },
      ]),
    ),
    additionalProperties: false,
  }),
  mapped(anyObject, (value, place) => {
    const read = Object.entries(value).flatMap(([code, given]): readonly (readonly [string, Severity])[] => {
      const at = placeInside(place, code);
      if (!isChangeCode(code)) {
        invalid(at, 'unknown code of a change', codeFix(code));
        return [];
      }
      const known = readAt(severity, given, at);
      return known === undefined ? [] : [[code, known]];
    });
    return Object.fromEntries(read);
  }),
);

/** Reads what a project counts otherwise: the key `opsdk.crdDiff` of package.json. */
export const crdDiffReader = object({
  severity: described('What counts as breaking or compatible, by the code of the change.', severitiesReader),
  waivers: described('File of the changes that are accepted until a day.', string, {
    examples: ['crd-waivers.yaml'],
  }),
});
