// docs/examples.md, the gallery: it has every example, its numbers are those of the files, and what its captures type is what stories type.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { stories } from '../../../scripts/examples/stories.mjs';
import { countLines } from '../../../scripts/lib/example-lines.mjs';
import { exampleNames } from '../../../scripts/lib/example-projects.mjs';
import { formatRows, wordsOf } from '../../../scripts/lib/kubectl.mjs';
import { captureDifference, gallery, readCaptures } from '../../helpers/captures.ts';
import { repositoryRoot } from '../../helpers/source-files.ts';

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');
const page = read(gallery);
const captures = readCaptures();

test('every example has a story, a section and a capture', () => {
  expect(Object.keys(stories)).toEqual(exampleNames);
  expect([...captures.keys()].sort()).toEqual(exampleNames);
});

describe.each(exampleNames)('%s', (name) => {
  const capture = captures.get(name) ?? '';

  test('has about as many lines as the table says', () => {
    const row = new RegExp(
      `^\\| \\[${name}\\]\\(#${name}\\) +\\|[^|]*\\| +([\\d,]+) \\| +([\\d,]+) \\|$`,
      'm',
    );
    const [code = 0, tests = 0] = (row.exec(page) ?? [])
      .slice(1)
      .map((text) => Number(text.replace(',', '')));
    const counted = countLines(name);
    // Each change of an example need not change the page.
    for (const [said, is] of [
      [code, counted.code],
      [tests, counted.tests],
    ] as const)
      expect(Math.abs(said - is), `${said} lines, which are ${is}`).toBeLessThanOrEqual(10 + is * 0.1);
  });

  test('says the level that its bundle claims', () => {
    const claimed = claimedLevel(name);
    const level = new RegExp(`^\\| \\[${name}\\][^|]*\\| +([IV]+) `, 'm').exec(page)?.[1];
    if (claimed !== undefined) expect(level).toBe(claimed);
    else expect(level).toBeDefined();
  });

  test('shows commands that its story types', () => {
    const typed = typedIn(read(storyFile(name)));
    const commands = [...capture.matchAll(/^\$ (.+)$/gm)].map(([, command = '']) => command);
    expect(commands.length).toBeGreaterThan(3);
    const own = commands.filter((command) => !command.startsWith('npx --no op-sdk dev'));
    for (const command of own)
      expect(
        typed.some((pattern) => pattern.test(command)),
        command,
      ).toBe(true);
  });

  test('shows the columns of its kinds', () => {
    for (const { plurals, columns } of kindsOf(name)) {
      const headers = [...capture.matchAll(/^\$ kubectl get (\S+).*\n(NAME .*)$/gm)].filter(
        ([, kinds = '']) => plurals.includes(kinds),
      );
      for (const [, , header = ''] of headers) expect(header.split(/ {2,}/)).toEqual(['NAME', ...columns]);
    }
  });
});

const levels: Readonly<Record<string, string>> = {
  'Basic Install': 'I',
  'Seamless Upgrades': 'II',
  'Full Lifecycle': 'III',
  'Deep Insights': 'IV',
  'Auto Pilot': 'V',
};

/** Returns the capability level of the base of an example's bundle, if it has one. */
function claimedLevel(name: string): string | undefined {
  const folder = join('examples', name, 'config/manifests/bases');
  try {
    const [file = ''] = readdirSync(join(repositoryRoot, folder));
    const base = parse(read(join(folder, file))) as { metadata: { annotations: Record<string, string> } };
    return levels[base.metadata.annotations['capabilities'] ?? ''];
  } catch {
    return undefined;
  }
}

/** Returns the file of a story: one of its own, or one that it shares. */
function storyFile(name: string): string {
  const folder = 'scripts/examples/stories';
  const own = `${name}.mjs`;
  const files = readdirSync(join(repositoryRoot, folder));
  const id = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const shared = files.find((file) => read(join(folder, file)).includes(`export const ${id} =`));
  return join(folder, files.includes(own) ? own : (shared ?? ''));
}

/**
 * Returns patterns of the commands in a story: its strings, with anything in the place of what it computes; at the end, with one word, since
 * strings are also beginnings of others.
 */
function typedIn(source: string): readonly RegExp[] {
  const literals = [...source.matchAll(/'((?:[^'\\\n])*)'|"([^"\n]*)"|`((?:[^`\\]|\\.)*)`/g)];
  return literals
    .map(([, single, double, template]) => single ?? double ?? template ?? '')
    .filter((text) => text.replace(/\$\{[^}]*\}/g, '').trim().length >= 5)
    .map((text) => {
      const parts = text.split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
      const end = parts.at(-1) === '' ? `${parts.slice(0, -1).join('.*')}\\S*` : parts.join('.*');
      return new RegExp(`^(?:kubectl )?${end}(?: <<'EOF')?$`);
    });
}

interface ShownKind {
  readonly plurals: readonly string[];
  readonly columns: readonly string[];
}

/** Returns the names of the kinds of an example, with the headers of the columns that kubectl shows. */
function kindsOf(name: string): readonly ShownKind[] {
  const folder = join(repositoryRoot, 'examples', name, 'config/crd/bases');
  let files: readonly string[];
  try {
    files = readdirSync(folder);
  } catch {
    return [];
  }
  return files.flatMap((file) => {
    const { spec } = parse(readFileSync(join(folder, file), 'utf8')) as CrdOfFile;
    const { plural, singular = '', shortNames = [] } = spec.names;
    const columns = spec.versions.find(({ storage }) => storage)?.additionalPrinterColumns ?? [];
    const shown = columns.filter(({ priority = 0 }) => priority === 0);
    if (shown.length === 0) return [];
    return [
      {
        plurals: [plural, singular, ...shortNames],
        columns: shown.map((column) => column.name.toUpperCase()),
      },
    ];
  });
}

interface CrdOfFile {
  readonly spec: {
    readonly names: {
      readonly plural: string;
      readonly singular?: string;
      readonly shortNames?: readonly string[];
    };
    readonly versions: readonly {
      readonly storage: boolean;
      readonly additionalPrinterColumns?: readonly { readonly name: string; readonly priority?: number }[];
    }[];
  };
}

test.each([
  ['$ a\nb\n', '$ a\nb\n', undefined],
  ['$ a\n…\nc\n', '$ a\nb\n\nb\nc\n', undefined],
  ['NAME   AGE\nx-…   …\n', 'NAME    AGE\nx-1234   5s\n', undefined],
  ['$ a\nc\n', '$ a\nb\nc\n', 'c'],
  ['$ a\n…\nd\n', '$ a\nb\nc\n', 'd'],
  ['$ a\n', '$ a\nb\n', 'b'],
  ['$ a\n…\n', '$ a\nb\n', undefined],
])('the capture %j of the output %j has the difference %j', (capture, output, difference) => {
  expect(captureDifference(capture, output)).toBe(difference);
});

test('a table has the widths of kubectl', () => {
  expect(
    formatRows([
      ['NAME', 'A', 'AGE'],
      ['example', '', '5s'],
    ]),
  ).toBe('NAME      A     AGE\nexample         5s');
});

test('words of a command line may have quotes', () => {
  expect(wordsOf(`patch etcd example --patch '{"spec":{"size":5}}' -o jsonpath='{.a b}'`)).toEqual([
    ...['patch', 'etcd', 'example', '--patch', '{"spec":{"size":5}}', '-o', 'jsonpath={.a b}'],
  ]);
});
