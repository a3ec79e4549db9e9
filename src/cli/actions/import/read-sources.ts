import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { FindingList, isOpSdkError, OpSdkError, type Finding } from '../../../base/errors/index.ts';
import { readCrds, type ReadCrd } from '../../../kubernetes/crd/index.ts';
import { errnoText } from '../../../base/util/fs.ts';
import { YamlBudget, readYamlFile } from '../../../kubernetes/yaml/index.ts';
import type { CliContext } from '../../command.ts';
import { downloadText, shownUrl } from './download.ts';

/** CRDs of the named sources. */
export interface SourcesRead {
  readonly crds: readonly ReadCrd[];
  readonly warnings: readonly Finding[];
  /** Errors in files of folders; the other files can be used nevertheless. */
  readonly errors: readonly Finding[];
}

/** Folders that hold no manifests of the user. */
const skippedFolders = new Set(['node_modules', '.git']);

/**
 * Reads the CRDs of files, folders, URLs and standard input. In folders, files that hold no CRDs are passed over; one that does and cannot
 * be read is an error beside what the others hold. A file that is named must be readable.
 *
 * @throws OpSdkError with the findings of all sources, if one that is named cannot be read, or if none has a CRD
 */
export async function readSources(context: CliContext, sources: readonly string[]): Promise<SourcesRead> {
  const findings = new FindingList();
  const crds: ReadCrd[] = [];
  const warnings: Finding[] = [];
  const errors: Finding[] = [];
  // The files of a folder are read one by one, and only their CRDs are kept: each may be as large as one that is read alone.
  const take = (text: string, name: string): void => {
    const read = readCrds(text, name, new YamlBudget());
    crds.push(...read.crds);
    warnings.push(...read.warnings);
    if (read.others.length > 0) context.report.info(passedOver(name, read.others));
  };
  for (const source of [...new Set(sources)]) {
    await findings.gather(async () => {
      if (source === '-') return take(await context.readStdin(), '-');
      if (/^[a-z]+:\/\//i.test(source)) return take(await downloadText(context, source), shownUrl(source));
      for (const { file, isNamed } of await filesOf(context.cwd, source)) {
        await findings.gather(async () => {
          const text = await readYamlFile(resolve(context.cwd, file), file);
          if (isNamed) return take(text, file);
          // The text of a CRD names its kind; reading everything else would cost more than the CRDs.
          if (!text.includes('CustomResourceDefinition')) return;
          try {
            take(text, file);
          } catch (error) {
            if (!isOpSdkError(error)) throw error;
            const skipped = skippedFile(file, text, error);
            if (skipped === undefined) errors.push(...error.findings);
            else warnings.push(skipped);
          }
        });
      }
    });
  }
  if (crds.length === 0) findings.add(...errors);
  findings.throwIfAny();
  if (crds.length === 0) {
    throw new OpSdkError({
      code: 'import/no-crd',
      message: `CustomResourceDefinition not found in ${sources.map(shownUrl).join(', ')}`,
      fix: ['name a file, a folder, an https URL, or - for standard input, that holds one'],
    });
  }
  return { crds, warnings, errors };
}

/** A line, outside of comments, that says it is of a CRD: in YAML, JSON, or a template for either. */
const saysCrd = /^[^#\n]*\bkind["']?\s*:\s*["']?CustomResourceDefinition\b/m;

/** A file of a folder that is not YAML and mentions CRDs without being one, such as a kustomization or a values file in a template. */
function skippedFile(file: string, text: string, { findings }: OpSdkError): Finding | undefined {
  const [first] = findings;
  if (saysCrd.test(text) || !findings.every(({ code }) => code.startsWith('io/'))) return undefined;
  return {
    code: 'import/skipped-file',
    message: `ignored: ${first.message}`,
    where: first.where ?? { file },
  };
}

function passedOver(name: string, others: readonly string[]): string {
  const shown = others.slice(0, 3).join(', ');
  const more = others.length > 3 ? ` and ${others.length - 3} more` : '';
  return `${name === '-' ? 'standard input' : name}: ignored ${shown}${more}`;
}

interface SourceFile {
  readonly file: string;
  /** Named itself, not found in a folder. */
  readonly isNamed: boolean;
}

async function filesOf(cwd: string, name: string, isNamed = true): Promise<readonly SourceFile[]> {
  try {
    if (!(await stat(resolve(cwd, name))).isDirectory()) return [{ file: name, isNamed }];
    const entries = (await readdir(resolve(cwd, name), { withFileTypes: true })).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    );
    const nested: SourceFile[] = [];
    for (const entry of entries) {
      const path = join(name, entry.name);
      if (entry.isDirectory() && !skippedFolders.has(entry.name))
        nested.push(...(await filesOf(cwd, path, false)));
      else if (/\.(?:ya?ml|json)$/i.test(entry.name) && !entry.isDirectory())
        nested.push({ file: path.replaceAll('\\', '/'), isNamed: false });
    }
    return nested;
  } catch (error) {
    if (isOpSdkError(error)) throw error;
    throw new OpSdkError(
      {
        code: 'io/not-found',
        message: `${name} cannot be read: ${errnoText(error)}`,
        where: { file: name },
        fix: ['name a file, a folder, an https URL, or - for standard input'],
      },
      { cause: error },
    );
  }
}
