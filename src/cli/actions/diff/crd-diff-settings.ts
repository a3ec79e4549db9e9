import { resolve } from 'node:path';
import {
  codeFix,
  isChangeCode,
  readWaivers,
  severities,
  severitiesReader,
  type ChangeCode,
  type Severities,
  type Severity,
  type Waiver,
} from '../../../kubernetes/crd/diff/index.ts';
import { FindingList, type Finding } from '../../../base/errors/index.ts';
import { layout, readFileOf } from '../../../project/project/index.ts';
import { isJsonMap } from '../../../base/util/json-map.ts';
import { object, string } from '../../../base/util/json-reader.ts';
import { documentStyle, problemFindings, readJson } from '../../../base/util/read-json.ts';
import { placeInJson, readYamlFile } from '../../../kubernetes/yaml/index.ts';
import type { CliContext } from '../../command.ts';
import { invalidFlag } from '../input/flag-values.ts';

/** Flags of `crd diff`. */
export interface CrdDiffFlags {
  /** `CODE=SEVERITY`. */
  readonly severity?: readonly string[];
  /** A file; `--no-waivers` is false. */
  readonly waivers?: string | false;
}

/** Settings of a project or a caller. */
export interface CrdDiffSettings {
  readonly severities: Severities;
  readonly waivers: readonly Waiver[];
}

/**
 * Reads `opsdk.crdDiff` of package.json, which flags override, and the file of waivers.
 * @throws OpSdkError with everything that is wrong: `cli/invalid-value`, `diff/invalid-settings`, `diff/invalid-waiver`, `io/…`
 */
export async function crdDiffSettings(
  { cwd }: Pick<CliContext, 'cwd'>,
  flags: CrdDiffFlags,
): Promise<CrdDiffSettings> {
  const findings = new FindingList();
  const declared = await findings.gather(() => readDeclared(cwd, findings));
  const own = { ...declared?.severity, ...readSeverities(flags.severity ?? [], findings) };
  const file = flags.waivers === false ? undefined : (flags.waivers ?? declared?.waivers);
  const waivers =
    file === undefined
      ? []
      : await findings.gather(async () => readWaivers(await readYamlFile(resolve(cwd, file), file), file));
  findings.throwIfAny();
  return { severities: own, waivers: waivers ?? [] };
}

const reader = object({ severity: severitiesReader, waivers: string });

async function readDeclared(
  cwd: string,
  findings: FindingList,
): Promise<{ readonly severity?: Severities; readonly waivers?: string } | undefined> {
  const text = (await readFileOf(cwd, layout.packageJson)) ?? '{}';
  const invalid: Finding['code'] = 'diff/invalid-settings';
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const message = `${layout.packageJson} is not JSON: ${problem}`;
    findings.add({ code: invalid, message, where: { file: layout.packageJson }, fix: ['correct the file'] });
    return undefined;
  }
  const opsdk = isJsonMap(json) ? json['opsdk'] : undefined;
  const declared = isJsonMap(opsdk) ? opsdk['crdDiff'] : undefined;
  if (declared === undefined) return undefined;
  const { value, problems } = readJson(reader, declared, 'opsdk.crdDiff', {
    style: { ...documentStyle, nullIsMissing: false },
    path: ['opsdk', 'crdDiff'],
  });
  const locate = (path: readonly (string | number)[]) => placeInJson(text, layout.packageJson, path);
  findings.add(...problemFindings(problems, locate, () => invalid));
  return value;
}

const flag = '--severity';

function readSeverities(given: readonly string[], findings: FindingList): Severities {
  const read: Partial<Record<ChangeCode, Severity>> = {};
  for (const pair of given) {
    const [, code = '', severity] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    const known = severities.find((each) => each === severity);
    if (known === undefined) {
      const message = `${flag}: expected CODE=${severities.join(' or CODE=')}, got ${JSON.stringify(pair)}`;
      findings.add(invalidFlag(flag, message, 'write enum-value-added=breaking'));
    } else if (isChangeCode(code)) read[code] = known;
    else {
      const message = `${flag}: unknown code of a change ${JSON.stringify(code)}`;
      findings.add(invalidFlag(flag, message, codeFix(code)));
    }
  }
  return read;
}
