import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readDefinitions, type Definition, type PlacedDocument } from '../../../crd/diff/index.ts';
import { FindingList, type Finding } from '../../../errors/index.ts';
import { generateManifests } from '../../../manifests/index.ts';
import { errnoText } from '../../../util/fs.ts';
import { YamlBudget, parseKubernetesYaml, readYamlFile } from '../../../yaml/index.ts';
import type { CliContext } from '../../command.ts';
import { projectWord } from '../../flags/words.ts';

/** One side of a comparison. Findings are collected, so that those of both sides can be reported at once. */
export interface Side {
  readonly definitions: readonly Definition[];
  readonly findings: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/**
 * Reads the CustomResourceDefinitions that an argument names: a file, a folder (all YAML and JSON files below it), `-`, or
 * `project`. Other objects beside them are passed over.
 *
 * @param name relative to the folder of the command
 */
export async function readSide(context: CliContext, name: string, side: 'old' | 'new'): Promise<Side> {
  const documents: PlacedDocument[] = [];
  const findings = new FindingList();
  const warnings: Finding[] = [];
  const collect = async (read: () => Promise<readonly PlacedDocument[]>): Promise<void> => {
    documents.push(...((await findings.gather(read)) ?? []));
  };
  const budget = new YamlBudget();
  const parse = (text: string, file: string): readonly PlacedDocument[] =>
    parseKubernetesYaml(text, file, { budget }).map((document) => ({
      value: document.value,
      locate: (path) => document.locate(path),
    }));
  if (name === '-') await collect(async () => parse(await context.readStdin(), '-'));
  else if (name === projectWord) await collect(async () => projectDocuments(context, warnings));
  else {
    const files = await filesOf(context.cwd, name);
    findings.add(...files.findings);
    for (const file of files.names)
      await collect(async () =>
        parse(await readYamlFile(resolve(context.cwd, file), file, budget.left('bytes')), file),
      );
  }
  const read = readDefinitions(documents, side);
  findings.add(...read.findings);
  if (findings.isEmpty && read.definitions.length === 0) findings.add(nothing(name, side));
  return { definitions: read.definitions, findings: findings.all, warnings: [...warnings, ...read.warnings] };
}

async function projectDocuments(
  context: CliContext,
  warnings: Finding[],
): Promise<readonly PlacedDocument[]> {
  const generated = generateManifests({ projectDir: context.cwd, only: 'crd' });
  warnings.push(...generated.warnings);
  return generated.files.map(({ document, path: file }) => ({ value: document, locate: () => ({ file }) }));
}

function nothing(name: string, side: 'old' | 'new'): Finding {
  const message = `${side.toUpperCase()} ${name === '-' ? '(standard input)' : name} has no CustomResourceDefinition`;
  return {
    code: 'diff/nothing-to-compare',
    message,
    fix: [
      name === projectWord
        ? 'add a kind with op-sdk create api'
        : 'name a file or a folder with CustomResourceDefinitions, or look at what the command before the pipe says',
    ],
  };
}

async function filesOf(
  cwd: string,
  name: string,
): Promise<{ readonly names: readonly string[]; readonly findings: readonly Finding[] }> {
  try {
    if (!(await stat(resolve(cwd, name))).isDirectory()) return { names: [name], findings: [] };
    const entries = await readdir(resolve(cwd, name), { withFileTypes: true });
    const inner = await Promise.all(
      entries.map(async (entry) => {
        const path = join(name, entry.name);
        if (entry.isDirectory()) return filesOf(cwd, path);
        return { names: /\.(?:ya?ml|json)$/.test(entry.name) ? [path] : [], findings: [] };
      }),
    );
    return {
      names: inner.flatMap((item) => item.names).sort(),
      findings: inner.flatMap((item) => item.findings),
    };
  } catch (error) {
    const finding: Finding = {
      code: 'io/not-found',
      message: `${name} cannot be read: ${errnoText(error)}`,
      where: { file: name },
      fix: [`name a file, a folder, - for standard input, or ${projectWord}`],
    };
    return { names: [], findings: [finding] };
  }
}
