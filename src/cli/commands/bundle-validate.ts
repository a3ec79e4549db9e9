import { defineCommand, type CliContext, type CommandOutcome, type ParsedOptions } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { pullFlags, type RegistryFlags } from '../flags/registry-flags.ts';
import { selectOptionalFlag } from '../flags/olm-flags.ts';
import { alpha1, sarif } from '../flags/words.ts';
import {
  collectFindings,
  joinResults,
  type JoinedFinding,
  passes,
  validateBundle,
  type BundleVerdict,
  type ValidateOptions as ValidateBundleOptions,
  optionalValidators,
  validatorInfo,
  type BundleResult,
  fieldName,
  isCountedError,
} from '../../olm/bundle/index.ts';
import { isOpSdkError, type Finding, FindingList, formatWhere } from '../../base/errors/index.ts';
import type { Platform } from '../../images/index.ts';
import { closestName } from '../../base/util/terminal-words.ts';
import type { JudgedBundle } from '../actions/validate/documents.ts';
import { openBundle, readSelection, labelsOf, boundMemory } from '../actions/validate/open-bundle.ts';
import { invalidFlag } from '../actions/input/flag-values.ts';

/**
 * Returns the document in operator-sdk's format `-o json-alpha1`. Programs that read this format treat an output of type `error` as a
 * failed bundle. So errors that do not make the bundle fail become warnings, and with `--strict` warnings become errors.
 */
function alpha1Document(judged: readonly JudgedBundle[], strict: boolean): unknown {
  const passed = judged.every((each) => each.passed);
  const findings = judged.flatMap(({ verdict }) => joinResults(verdict.results));
  const outputs = findings.map((finding) => outputOf(finding, strict || isCountedError(finding)));
  // operator-sdk prints warnings before errors, and writes null for an empty list.
  const ordered = [...outputs.filter(isWarning), ...outputs.filter((output) => !isWarning(output))];
  return { passed, outputs: ordered.length === 0 ? null : ordered };
}

interface Output {
  readonly type: 'error' | 'warning';
  readonly message: string;
}

const isWarning = ({ type }: Output): boolean => type === 'warning';

function outputOf({ message, where }: JoinedFinding, counts: boolean): Output {
  return {
    type: counts ? 'error' : 'warning',
    message: where === undefined ? message : `${formatWhere(where)}: ${message}`,
  };
}

const flags = {
  ...selectOptionalFlag,
  'list-optional': flag.boolean('list the optional validators, validate nothing'),
  'optional-values': flag.list(
    'key=value',
    'k8s-version=1.32 (the Kubernetes that the bundle is for), index-path=bundle.Dockerfile (labels of the index image)',
    { default: [] },
  ),
  strict: flag.boolean("fail on warnings and on errors of the validator 'opsdk', too"),
  ...pullFlags,
};

export const command = defineCommand({
  formats: [alpha1, sarif],
  arguments: [['[bundle...]', 'folders, images, or oci:DIR for a layout (default: bundle)']],
  flags,
  help: `
Checks bundles as the validators of operator-framework do, under their names: format, content,
bundle, csv and crd always, others with --select-optional. The validator opsdk adds what the API
server and OLM v1 refuse and the others leave out, such as the schemas of definitions. The exit
code is 1 for errors of the former; those of opsdk count with --strict. An existing folder is a
folder, everything else an image, which is pulled. It needs no cluster. OPERATOR_BUNDLE_CATEGORIES names a file with categories of your own.

  -o json          {"passed", "results"}; of several bundles a list of these
  -o ${sarif}         SARIF 2.1.0, for tools that annotate code
  -o ${alpha1}   the output of operator-sdk: {"passed": true, "outputs": [{"type", "message"}]}

A result has validator, rule, level, message, file, line, column, path and fix.`,
  async run(context, options, folders) {
    if (options.listOptional) return listOptional();
    const optional = readSelection(options.selectOptional);
    const settings = {
      ...readValues(options.optionalValues),
      categoriesFile: context.env['OPERATOR_BUNDLE_CATEGORIES'] ?? '',
      platformsOf: platformsOf(context, options),
    };
    const dirs = folders.length === 0 ? ['bundle'] : folders;
    const judged: JudgedBundle[] = [];
    for (const dir of dirs) {
      const judging = judge(context, dir, { optional, settings, flags: options });
      const { results, dir: shown } = await (dirs.length > 1 ? judging.catch(unopened(dir)) : judging);
      if (dirs.length > 1) boundMemory();
      judged.push({ verdict: { dir: shown, results }, passed: passes({ results }, options.strict) });
    }
    if (options.output === sarif) {
      // The module for SARIF contains the explanations of all codes, so it is loaded only for this format.
      const { sarifDocument } = await import('../actions/validate/sarif.ts');
      return documentOutcome(sarifDocument(judged), exitCodeOf(judged));
    }
    return outcomeOf(judged, options);
  },
});

const valuesFlag = '--optional-values';

/**
 * Keys of `--optional-values`. The older key names and `container-tools`, which op-sdk does not need, are accepted for existing scripts.
 */
const keys = ['k8s-version', 'index-path', 'image-path', 'container-tools'] as const;

/** Container tools that the validator multiarch of operator-framework can call. */
const tools = ['docker', 'podman', 'none'];

/**
 * Reads `key=value` pairs. Several pairs are separated by commas, or each pair is given in its own flag.
 * @throws OpSdkError `cli/invalid-value`
 */
export function readValues(given: readonly string[]): {
  readonly kubeVersion: string;
  readonly indexPath: string;
} {
  const findings = new FindingList();
  const values = new Map<string, string>();
  // A comma separates two pairs only if a key and `=` follow. Any other comma belongs to the value.
  for (const pair of given.flatMap((text) => text.split(/,(?=[\w-]+=)/))) {
    const at = pair.indexOf('=');
    const key = at < 0 ? pair : pair.slice(0, at);
    if (at < 0)
      findings.add(
        invalidFlag(
          valuesFlag,
          `${valuesFlag}: expected key=value, got ${JSON.stringify(pair)}`,
          'write k8s-version=1.32',
        ),
      );
    else if (!keys.some((known) => known === key)) {
      const meant = closestName(key, keys);
      const fix = meant === undefined ? 'write k8s-version or index-path' : `did you mean ${meant}?`;
      findings.add(invalidFlag(valuesFlag, `${valuesFlag}: unknown key ${JSON.stringify(key)}`, fix));
    } else if (key === 'container-tools' && !tools.includes(pair.slice(at + 1))) {
      const message = `${valuesFlag}: container-tools: expected ${tools.join(', ')}, got ${JSON.stringify(pair.slice(at + 1))}`;
      findings.add(invalidFlag(valuesFlag, message, 'leave it out: op-sdk asks registries itself'));
    } else values.set(key, pair.slice(at + 1));
  }
  findings.throwIfAny();
  return {
    kubeVersion: values.get('k8s-version') ?? '',
    indexPath: values.get('index-path') ?? values.get('image-path') ?? '',
  };
}

/** Returns a function that asks registries for the platforms of images. Each image is queried only once in a run. */
export function platformsOf(
  context: CliContext,
  flags: RegistryFlags,
): (image: string) => Promise<readonly Platform[]> {
  const asked = new Map<string, Promise<readonly Platform[]>>();
  return (image) => {
    const known = asked.get(image);
    if (known !== undefined) return known;
    // The registry client is loaded only here, because other validators do not need it.
    const answer = import('../actions/validate/read-platforms.ts').then(({ readPlatforms }) =>
      readPlatforms(context, image, flags),
    );
    asked.set(image, answer);
    return answer;
  };
}

/** Returns the outcome of `--list-optional`: the optional validators with their labels. */
export function listOptional(): CommandOutcome {
  const rows = optionalValidators.map((name) => {
    const labels = Object.entries(labelsOf(name)).map(([key, value]) => `${key}=${value}`);
    return { name, labels: labels.join(','), description: validatorInfo(name).description };
  });
  const width = (key: 'name' | 'labels'): number =>
    Math.max(...rows.map((row) => row[key].length), key.length);
  const [nameWidth, labelsWidth] = [width('name'), width('labels')];
  const line = (name: string, labels: string, description: string): string =>
    `${name.padEnd(nameWidth)}  ${labels.padEnd(labelsWidth)}  ${description}`;
  const lines = rows.map(({ name, labels, description }) => line(name, labels, description));
  return { result: rows, document: rows, text: [line('NAME', 'LABELS', 'DESCRIPTION'), ...lines].join('\n') };
}

type ValidateOptions = ParsedOptions<typeof flags>;

/**
 * Judges one bundle. This function contains no `import()`, because TypeScript 5.9 does not rewrite the `.ts` of an `import()` in a function
 * with a lowered `using`.
 */
async function judge(
  context: CliContext,
  dir: string,
  {
    optional,
    settings,
    flags,
  }: Required<Pick<ValidateBundleOptions, 'optional' | 'settings'>> & { readonly flags: RegistryFlags },
): Promise<BundleVerdict> {
  await using opened = await openBundle(context, dir, flags);
  return await validateBundle(opened.dir, {
    ...{ cwd: context.cwd, optional, settings },
    ...(opened.shown === undefined ? {} : { shown: opened.shown }),
  });
}

/**
 * Returns the result for one of several bundles that cannot be opened. This bundle fails like a bundle with unreadable files, and the
 * remaining bundles are still validated.
 */
function unopened(dir: string): (error: unknown) => JudgedBundle['verdict'] {
  return (error) => {
    if (!isOpSdkError(error)) throw error;
    const collector = collectFindings();
    collector.add('format', 'error', error.findings);
    return { dir, results: collector.finish() };
  };
}

function outcomeOf(judged: readonly JudgedBundle[], { output, strict }: ValidateOptions): CommandOutcome {
  const exitCode = exitCodeOf(judged);
  if (output === 'json') return { result: null, document: jsonDocument(judged), exitCode };
  if (output === alpha1) return documentOutcome(alpha1Document(judged, strict), exitCode);
  const findings = judged.flatMap(({ verdict }) => joinResults(verdict.results));
  const errors = findings.filter(({ level }) => level === 'error').map(named);
  const warnings = findings.filter(({ level }) => level === 'warning').map(named);
  return { result: null, errors, warnings, exitCode, ...textOf(judged, errors.length, strict) };
}

function exitCodeOf(judged: readonly JudgedBundle[]): 0 | 1 {
  return judged.every(({ passed }) => passed) ? 0 : 1;
}

function documentOutcome(document: unknown, exitCode: number): CommandOutcome {
  return { result: document, text: JSON.stringify(document, null, 4), exitCode };
}

/** Returns the finding with the names of its validators added to the message. */
function named({ message, validators, code, where, fix }: JoinedFinding): Finding {
  return {
    code,
    message: `${message} (${validators.join(', ')})`,
    ...(where === undefined ? {} : { where }),
    ...(fix === undefined ? {} : { fix }),
  };
}

function textOf(
  judged: readonly JudgedBundle[],
  errors: number,
  strict: boolean,
): { readonly text?: string } {
  const failed = judged.filter(({ passed }) => !passed);
  if (judged.length > 1)
    return { text: `${judged.length - failed.length} of ${judged.length} bundles passed` };
  if (failed.length > 0) return {};
  const text = 'All validation tests have completed successfully';
  if (errors === 0 || strict) return { text };
  return { text: `${text}; the errors above are those of opsdk, which count with --strict` };
}

/** Returns the document for `-o json`: an object for one bundle, a list for several bundles. */
function jsonDocument(judged: readonly JudgedBundle[]): unknown {
  const [only] = judged;
  if (judged.length === 1 && only !== undefined) return bundleDocument(only);
  return judged.map((each) => ({ bundle: each.verdict.dir, ...bundleDocument(each) }));
}

function bundleDocument({ verdict, passed }: JudgedBundle): {
  readonly passed: boolean;
  readonly results: unknown;
} {
  return { passed, results: verdict.results.map(resultDocument) };
}

function resultDocument({ validator, rule, level, message, where, path, fix }: BundleResult): unknown {
  const place = where !== undefined && 'file' in where ? where : undefined;
  return {
    validator,
    rule,
    level,
    message,
    file: place?.file ?? null,
    line: place?.line ?? null,
    column: place?.column ?? null,
    path: path === undefined ? null : fieldName(path),
    fix: fix.length === 0 ? null : fix.join('; '),
  };
}
