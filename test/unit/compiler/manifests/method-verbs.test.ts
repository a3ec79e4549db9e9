// No method of a client without its permissions: the table and the interfaces have the same names.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { methodVerbs, needOf } from '../../../../src/compiler/manifests/rbac/method-verbs.ts';
import { repository } from './project-folder.ts';

const files = [
  ...['kube/types.ts', 'kube/client/live-client.ts', 'kube/client/kube-client.ts'],
  'runtime/client/controller-client.ts',
  ...['runtime/cache/cached-reader.ts', 'runtime/events/event-recorder.ts'],
];
/** Interfaces of clients, and what they get from these. */
const clients = [...Object.keys(methodVerbs), 'Client', 'ClusterReader', 'KubeClient'];

const methodsOf = (members: ts.NodeArray<ts.TypeElement>): string[] =>
  members.flatMap((member) => {
    if (ts.isMethodSignature(member)) return [member.name.getText()];
    const type = ts.isPropertySignature(member) ? member.type : undefined;
    if (type !== undefined && ts.isTypeLiteralNode(type)) return methodsOf(type.members);
    return type !== undefined && ts.isFunctionTypeNode(type) ? [member.name?.getText() ?? ''] : [];
  });

const declared = new Map(
  files.flatMap((file) => {
    const text = readFileSync(join(repository, 'src/sdk', file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
    return source.statements
      .filter((statement) => ts.isInterfaceDeclaration(statement))
      .map((statement) => [statement.name.text, methodsOf(statement.members)] as const);
  }),
);

test.each(clients)('each method of %s has a row', (name) => {
  const table: Readonly<Record<string, object>> = methodVerbs;
  expect(declared.has(name)).toBe(true);
  expect(Object.keys(table[name] ?? {}).sort()).toEqual([...new Set(declared.get(name))].sort());
});

test('every interface that extends a client is known', () => {
  const known = new Set(clients);
  const heirs = files.flatMap((file) => {
    const text = readFileSync(join(repository, 'src/sdk', file), 'utf8');
    return [...text.matchAll(/export interface (\w+) extends ([^{]+)\{/g)]
      .filter(([, , bases = '']) => bases.split(',').some((base) => known.has(base.trim())))
      .map(([, name = '']) => name);
  });
  expect(heirs.filter((name) => !known.has(name))).toEqual([]);
});

test('what is not in the table needs nothing', () => {
  expect(needOf('Writer', 'toString')).toBeUndefined();
  expect(needOf('constructor', 'name')).toBeUndefined();
});
