import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { FindingList, OpSdkError, type Finding, type Where } from '../../../base/errors/index.ts';
import { errnoText } from '../../../base/util/fs.ts';
import type { JsonPath } from '../../../base/util/read-json.ts';
import { YamlBudget, parseKubernetesYaml, readYamlFile } from '../../../kubernetes/yaml/index.ts';
import type { CliContext } from '../../command.ts';
import { projectWord } from '../../flags/words.ts';
import { gitPrefix, readCommitted } from './read-git.ts';

/** A document of a side of a comparison. */
export interface SideDocument {
  readonly value: unknown;
  readonly locate: (path: JsonPath) => Where;
}

export interface ReadSideOptions {
  /** Path for `git:REF` without one. */
  readonly gitPath: string;
  /** Documents that the sources of the project generate. @throws OpSdkError */
  readonly project: () => readonly SideDocument[] | Promise<readonly SideDocument[]>;
}

/**
 * The documents that an argument names: a file, a folder (all YAML and JSON files below it), `git:REF[:PATH]`, `-`, or `project`.
 * @param name relative to the folder of the command
 * @returns what could be read, and everything that could not
 */
export async function readDocuments(
  context: CliContext,
  name: string,
  { gitPath, project }: ReadSideOptions,
): Promise<{ readonly documents: readonly SideDocument[]; readonly findings: readonly Finding[] }> {
  const documents: SideDocument[] = [];
  const findings = new FindingList();
  const collect = async (
    read: () => readonly SideDocument[] | Promise<readonly SideDocument[]>,
  ): Promise<void> => {
    documents.push(...((await findings.gather(read)) ?? []));
  };
  const budget = new YamlBudget();
  const parse = (text: string, file: string): readonly SideDocument[] => {
    if (text.startsWith('version https://git-lfs.github.com/')) throw new OpSdkError(onlyPointer(file));
    return parseKubernetesYaml(text, file, { budget }).map((document) => ({
      value: document.value,
      locate: (path) => document.locate(path),
    }));
  };
  if (name === '-') await collect(async () => parse(await context.readStdin(), '-'));
  else if (name === projectWord) await collect(project);
  else if (name.startsWith(gitPrefix)) {
    const files = (await findings.gather(() => readCommitted(context, name, gitPath))) ?? [];
    for (const file of files) await collect(() => parse(file.text, file.name));
  } else {
    const files = await filesOf(context.cwd, name);
    findings.add(...files.findings);
    for (const file of files.names)
      await collect(async () =>
        parse(await readYamlFile(resolve(context.cwd, file), file, budget.left('bytes')), file),
      );
  }
  return { documents, findings: findings.all };
}

/** As YAML it would be a text, and as such passed over. */
function onlyPointer(file: string): Finding {
  return {
    code: 'diff/git-failed',
    message: `${file} is not the file itself, but a pointer of Git LFS to it`,
    where: { file },
    fix: ['in a checkout: git lfs pull', 'of a commit, write the file out and name that: git lfs smudge'],
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
      fix: [`name a file, a folder, git:REF:PATH, - for standard input, or ${projectWord}`],
    };
    return { names: [], findings: [finding] };
  }
}
