import { FindingList, type Finding } from '../../../base/errors/index.ts';
import { list, mapped, object, string } from '../../../base/util/json-reader.ts';
import {
  documentStyle,
  invalid,
  problemFindings,
  readJson,
  type JsonPath,
  type JsonReader,
} from '../../../base/util/read-json.ts';
import { parseKubernetesYaml } from '../../yaml/index.ts';
import { codeFix, isChangeCode } from './severities.ts';
import type { ChangeCode } from './change-codes.ts';
import type { Waiver } from './waivers.ts';

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
 * @param file its name in findings
 * @throws OpSdkError `diff/invalid-waiver`, `io/…`
 */
export function readWaivers(text: string, file: string): readonly Waiver[] {
  const findings = new FindingList();
  const waivers: Waiver[] = [];
  for (const document of parseKubernetesYaml(text, file)) {
    const locate = (path: JsonPath) => document.locate(path);
    const { value: read, problems } = readJson(documentReader, document.value, 'the file', {
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

/** Text that says something. */
const said: JsonReader<string> = mapped(string, (text, place) =>
  text.trim() === '' ? invalid(place, 'expected text, got none', 'write it out') : text.trim(),
);

const code: JsonReader<ChangeCode> = mapped(string, (text, place) =>
  isChangeCode(text)
    ? text
    : invalid(place, `unknown code of a change ${JSON.stringify(text)}`, codeFix(text)),
);

/** A day. YAML 1.1 has a type for it, which arrives as a time in UTC. */
const day: JsonReader<string> = mapped(string, (text, place) => {
  const [, date] = /^(\d{4}-\d{2}-\d{2})(?:T00:00:00(?:\.000)?Z)?$/.exec(text) ?? [];
  if (date !== undefined && isDay(date)) return date;
  return invalid(place, `expected a day, got ${JSON.stringify(text)}`, 'write it as 2027-01-31');
});

/** Days that there are not, such as February 30th, become others or none. */
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
    { code, crd: said, version: said, path: said, message: string, reason: said, until: day },
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

const documentReader = object(
  { waivers: list(waiver) },
  { required: { waivers: 'write a list of waivers below `waivers:`' } },
);
