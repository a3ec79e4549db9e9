import { defineCommand, type CliContext } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { github, markdown, projectWord } from '../flags/words.ts';
import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import {
  accessLines,
  accessSummaryText,
  diffAccess,
  grantJson,
  accessTitle,
  readAccess,
  renderAccessMarkdown,
  renderAccessText,
  summarizeAccess,
  type AccessChange,
  type AccessObject,
} from '../../compiler/manifests/index.ts';
import { layout } from '../../project/project/index.ts';
import { stdinTwice, placeOfSide, readDocuments, generatedRoles } from '../actions/diff/read-documents.ts';
import { githubAnnotations } from '../ui/github.ts';

const sides = `a file, a folder, git:REF, git:REF:PATH, - or ${projectWord}`;
export const command = defineCommand({
  formats: [markdown, github],
  arguments: [
    ['<old>', sides],
    ['[new]', `the same (default: ${projectWord})`],
  ],
  flags: {
    'fail-on': flag.choice(
      'changes',
      ['widened', 'any', 'none'],
      'exit 1 for widened permissions, for any change, or for none',
      { default: 'widened' },
    ),
  },
  help: `
Compares what roles and bindings permit, not their text: rules in another order or form are no change, and a
permission that another rule includes is none either. ${projectWord} stands for the role that the project's sources
generate now; nothing is written. git:REF reads config/rbac of a commit, without a checkout.

  op-sdk rbac diff git:main
  op-sdk rbac diff git:main git:HEAD
  op-sdk rbac diff git:v1.0.0:bundle/manifests bundle/manifests

  -o json       every permission that was added or removed
  -o ${markdown}   tables for a comment on a pull request
  -o ${github}     annotations of GitHub Actions

The exit code is 0 if no permission is widened (see --fail-on), 1 if one is or if something cannot be read, and
2 for wrong usage.`,
  async run(context, parsed, [first = '', second = projectWord]) {
    const { failOn, output } = parsed;
    if (first === '-' && second === '-') throw new OpSdkError(stdinTwice());
    const now = await readSide(context, second, 'new');
    const old = await readSide(context, first, 'old');
    const findings = [...old.findings, ...now.findings];
    if (findings.length > 0) throw new OpSdkError(findings);
    const before =
      second === projectWord ? generatedOnes(context, first, old.objects, now.objects) : old.objects;
    const changes = diffAccess(before, now.objects);
    const summary = summarizeAccess(changes);
    const failing = { widened: summary.widened, any: changes.length, none: 0 }[failOn];
    return {
      result: {
        ...summary,
        changes: changes.map(({ grant, granted, where: _, ...change }) => ({
          ...change,
          ...grantJson(grant),
          granted: granted.map(grantJson),
        })),
      },
      text:
        output === markdown
          ? renderAccessMarkdown(changes)
          : output === github
            ? changesAsAnnotations(changes, [first, second], context)
            : renderAccessText(changes),
      warnings: [...old.warnings, ...now.warnings],
      exitCode: failing > 0 ? 1 : 0,
    };
  },
});

/** Returns the changes as GitHub annotations, and a summary line. */
function changesAsAnnotations(
  changes: readonly AccessChange[],
  names: readonly string[],
  context: CliContext,
): string {
  const annotations = accessLines(changes).map(({ change, text, where }) => ({
    level: change === 'widened' ? ('error' as const) : ('notice' as const),
    title: change,
    text,
    where: placeOfSide(where, names, context),
  }));
  return `${githubAnnotations(annotations)}${accessSummaryText(summarizeAccess(changes))}\n`;
}

interface Side {
  readonly objects: readonly AccessObject[];
  readonly findings: readonly Finding[];
  readonly warnings: readonly Finding[];
}

async function readSide(context: CliContext, name: string, side: 'old' | 'new'): Promise<Side> {
  const warnings: Finding[] = [];
  const { documents, findings } = await readDocuments(context, name, {
    gitPath: layout.rbac,
    project: async () => {
      const generated = await generatedRoles(context);
      warnings.push(...generated.warnings);
      return generated.documents;
    },
  });
  const read = readAccess(documents);
  const all = [...findings, ...read.findings];
  if (all.length === 0 && read.objects.length === 0) {
    all.push({
      code: 'diff/nothing-to-compare',
      message: `${side.toUpperCase()} ${name === '-' ? '(standard input)' : name} contains neither a role nor a binding`,
      fix: ['name a file or a folder with roles, or check the output of the command before the pipe'],
    });
  }
  return { objects: read.objects, findings: all, warnings };
}

/**
 * Selects the objects of OLD that the sources generate now or generated earlier, in any kind and namespace, so that removed objects are
 * shown. All other objects, such as the role for leader election, are ordinary files of the project and are left out.
 * @throws OpSdkError `diff/nothing-to-compare` if OLD contains no generated objects: their names may differ, and then every permission
 * would seem new
 */
function generatedOnes(
  { report }: CliContext,
  name: string,
  old: readonly AccessObject[],
  generated: readonly AccessObject[],
): readonly AccessObject[] {
  const wanted = new Set(generated.map(accessTitle));
  const names = new Set(generated.map((object) => object.name));
  const common = old.filter((object) => names.has(object.name) || isGenerated(object));
  if (common.length === 0) {
    throw new OpSdkError({
      code: 'diff/nothing-to-compare',
      message: `OLD ${name} has no ${[...wanted].join(' and no ')}, which the sources generate; it has ${old.map(accessTitle).join(', ')}`,
      fix: [`name ${layout.role} of the other version, or name NEW too`],
    });
  }
  if (common.length < old.length)
    report.info(
      `compared: ${[...new Set([...wanted, ...common.map(accessTitle)])].join(', ')}; name NEW to compare all ${old.length} objects of OLD`,
    );
  return common;
}

/** Returns true if the object has a name that `generate manifests` uses, or if `generate manifests` wrote the object's file. */
function isGenerated({ name, where }: AccessObject): boolean {
  return (
    /^manager-(?:role(?:-.+)?|cluster-rolebinding)$/.test(name) ||
    ('file' in where && `/${where.file}`.endsWith(`/${layout.role}`))
  );
}
