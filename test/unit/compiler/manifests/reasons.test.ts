// Reasons and texts of Events and conditions: the lint reports what is between « and », and nothing else.
import { afterAll, describe, expect, test } from 'vitest';
import type { Finding } from '../../../../src/base/errors/index.ts';
import { generateManifests } from '../../../../src/compiler/manifests/index.ts';
import { projectFolder } from './project-folder.ts';

/** One line in front of the code of each case. */
const header = [
  `import { conditionsOf, operatorCondition, type Condition, type ControllerClient, type EventRecorder, type ReconcileContext, type Stored } from 'opsdk';`,
  `import { Deployment } from 'opsdk/k8s/apps/v1'; import { Event } from 'opsdk/k8s/events/v1'; import type { Condition as BuiltIn } from 'opsdk/k8s/meta/v1';`,
  `import { randomUUID } from 'node:crypto'; import { Site } from './site.ts';`,
  `declare const client: ControllerClient; declare const events: EventRecorder; declare const site: Stored<Site>; declare const deployment: Deployment;`,
  `declare const cond: boolean; declare const error: Error; declare const text: string; declare const now: () => number;`,
  `declare const step: { reason: string; phase: 'Scaling' | 'Waiting'; code: 'kube/not-found' | 'Lost'; count: number; tries: 1 | 2 };`,
  `const conditions = conditionsOf(site, ['Ready', 'Degraded']);`,
  `export type All = [typeof client, typeof events, typeof site, typeof deployment, typeof cond, typeof error, typeof text, typeof now, typeof step, typeof conditions, typeof operatorCondition, typeof Event, typeof Deployment, typeof randomUUID, BuiltIn, Condition, ReconcileContext];`,
].join(' ');

type Cases = Readonly<Record<string, string>>;

const varyingReasons: Cases = {
  'the message of an error': `events.warning(«error.message», 'x');`,
  'a template': "events.normal(«`${text}Failed`», 'x');",
  'a sum': `events.normal(«'Failed' + text», 'x');`,
  String: `events.normal(«String(step.count)», 'x');`,
  toString: `events.normal(«error.toString()», 'x');`,
  'JSON.stringify': `events.normal(«JSON.stringify(step)», 'x');`,
  'the name of an object': `events.normal(«site.metadata.name», 'x');`,
  'a text that users write': `events.normal(«site.spec.name» ?? 'Unnamed', 'x');`,
  'a random text': `events.normal(«randomUUID()», 'x');`,
  'one branch of two': `conditions.false('Ready', cond ? 'Waiting' : «error.message»);`,
  'a text in parentheses, asserted': `conditions.false('Ready', («error.message»)! as string);`,
  'a changed text': `conditions.false('Ready', «error.message.replaceAll(' ', '').slice(0, 20)»);`,
  'a destructured message': `const { message } = error; conditions.false('Ready', «message»);`,
  'a destructured name': `const { metadata: { name } } = site; conditions.false('Ready', «name»);`,
  'a part of an object': `const { spec } = site; conditions.false('Ready', «spec.name» ?? 'Unnamed'); const metadata = site.metadata; conditions.false('Ready', «metadata.name»);`,
  'a variable of itself': `const { spec } = spec; conditions.false('Ready', «spec.name»);`,
  'a kind and a message':
    "declare const child: { kind: string }; events.normal(«`${child.kind}${error.message}`», 'x');",
  'a message of any': `declare const thrown: any; conditions.false('Ready', «thrown.message»);`,
  'a constant elsewhere': `const reason = «error.message»;\nconditions.true('Ready', reason);`,
  'a variable that is assigned': `let reason = 'A'; if (cond) reason = «error.message»; conditions.unknown('Ready', reason);`,
  'a function that computes it': `const reasonOf = (e: Error) => «e.message»; events.warning(reasonOf(error), 'x');`,
  'a function with returns':
    "function reasonOf(e: Error) { if (cond) return 'A'; return «`Failed${e.name}`»; }\nevents.warning(reasonOf(error), 'x');",
  'an argument of a helper':
    "function fail(reason: string) { conditions.false('Ready', reason); }\nfail('Waiting'); fail(«error.message»);",
  'a default of a parameter': `const fail = (reason = «error.message») => conditions.false('Ready', reason); fail();`,
  'a function that calls itself':
    "function dashed(n: number): string { return n === 0 ? 'A' : «`${dashed(n - 1)}B`»; }\nevents.normal(dashed(step.count), 'x');",
  'an action': `events.normal('Scaled', 'x', { action: «error.message» });`,
  'a recorder about another object': `events.about(deployment).warning(«error.message», 'x');`,
  'a destructured method': `const { warning } = events; warning(«error.message», 'x');`,
  'a context': `export const run = (context: ReconcileContext) => context.events.normal(«context.key.name + 'Done'», 'x');`,
  'an OperatorCondition': `await operatorCondition(client).set('Upgradeable', 'False', «error.message»);`,
  'a chain': `conditions.false('Ready', 'Waiting').true('Degraded', «error.message»);`,
  'a literal of a condition': `export const c = { type: 'Ready', status: 'True', reason: «error.message», message: '', lastTransitionTime: '' };`,
  'a literal of the type of a condition': `export const c: Partial<BuiltIn> = { type: 'Ready', status: 'True', reason: «error.message» };`,
  'a literal of an Event': `await client.create(Event, { metadata: { name: 'a' }, regarding: {}, eventTime: '', reason: «error.message», action: 'Act' });`,
  'a shorthand property': `const reason = «error.message»; export const c: Condition = { type: 'Ready', status: 'True', reason, message: '', lastTransitionTime: '' };`,
};

const varyingTypes: Cases = {
  'an item of the owned types': 'conditionsOf(site, [«`${text}Ready`», «text + "Done"»]);',
  'a list elsewhere': 'const own = [«`${text}Ready`»]; conditionsOf(site, own);',
  'a type that is set': 'conditionsOf<string>(site, [text]).true(«`${text}Ready`», "Done");',
};

const formats: Cases = {
  spaces: `events.warning(«'not camel case'», 'x');`,
  'a small first letter': `events.warning(«'scaled'», 'x'); conditions.true('Ready', «'podsReady'»);`,
  'an empty reason': `events.warning(«''», 'x'); conditions.true('Ready', «''»);`,
  'a long reason': `events.warning(«'${'A'.repeat(129)}'», 'x'); conditions.true('Ready', «'${'A'.repeat(1025)}'»);`,
  'a hyphen': `conditions.true('Ready', «'Pods-Ready'»);`,
  'an underscore in an Event': `events.normal(«'Pods_Ready'», 'x');`,
  'one of two literals': `const reason = cond ? 'pods ready' : 'Waiting'; conditions.true('Ready', «reason»);`,
  'one of the values of a type': `conditions.true('Ready', «step.code»);`,
  'a template of constants': "events.normal(«`${step.phase} pods`», 'x');",
  'an action': `events.normal('Scaled', 'x', { action: «'scale'» });`,
  'a type': `conditionsOf(site, [«'ready'», «'Is Ready'», «'example.com/ready'», «'Example.com/Ready'»]);`,
};

const passing: Cases = {
  'the time': 'events.normal("Done", `at ${«new Date()».toISOString()}`);',
  'a duration': 'events.normal("Done", `took ${Math.round((«Date.now()» - step.count) / 1000)} s`);',
  'the clock of a context': 'conditions.true("Ready", "Done", `at ${new Date(«now()»).toISOString()}`);',
  'a constant': "const at = `at ${String(«Date.now()»)}`; events.normal('Done', at);",
  'a random value':
    'events.normal("Done", `run ${«randomUUID()»}`); events.normal("Done", `run ${«Math.random()»}`);',
  'a resourceVersion': 'conditions.true("Ready", "Done", `seen ${«site.metadata.resourceVersion»}`);',
  'a whole object': 'events.normal("Done", `wrote ${«JSON.stringify(deployment)»}`);',
  'a literal of a condition': `export const c: Condition = { type: 'Ready', status: 'True', reason: 'Done', message: String(«Date.now()»), lastTransitionTime: new Date().toISOString() };`,
};

const accepted: Cases = {
  literals: `events.normal('Scaled', error.message, { action: 'Scale', related: deployment }); conditions.true('Ready', 'PodsReady', error.message);`,
  'a union of literals': `conditions.false('Ready', step.phase); events.normal(step.phase, 'x');`,
  'a field of the type string': `conditions.false('Ready', step.reason); events.normal(step.reason, 'x');`,
  'a value that is not in the sources': `conditions.false('Ready', text); events.normal(text, 'x');`,
  'a parameter of an exported function': `export const fail = (reason: string) => conditions.false('Ready', reason);`,
  'a helper with constant arguments':
    "function fail(verb: string) { events.warning(`${verb}Failed`, 'x'); }\nfail('Scale'); fail(cond ? 'Delete' : 'Create');",
  'a template of a union': "events.normal(`${step.phase}${step.tries}Failed`, 'x');",
  'a sum of constants': `const prefix = 'Scale'; events.normal(prefix + 'Failed', 'x');`,
  'String of a union': `events.normal('Try' + String(step.tries), 'x');`,
  'a table of constants': `const reasons = { a: 'Waiting', b: 'Lost' }; conditions.false('Ready', reasons.a);`,
  'a constant table by a key': `const reasons = { Scaling: 'PodsScaled', Waiting: 'PodsAwaited' } as const; conditions.false('Ready', reasons[step.phase]);`,
  'a table with the keys of an error': `const reasons = { message: 'Waiting', stack: 'Lost' }; conditions.false('Ready', reasons.message);`,
  'a variable that has the name of a part': `const checks = [{ reason: 'Waiting' }]; for (const spec of checks) conditions.false('Ready', spec.reason);`,
  'a parameter that has the name of a part': `export const fail = (metadata: { reason: string }) => conditions.false('Ready', metadata.reason);`,
  'the kind of an object': `declare const child: { kind: string }; events.normal(\`\${deployment.kind}Created\`, 'x'); events.normal(\`\${child.kind}Created\`, 'x'); events.normal(Deployment.kind + 'Created', 'x');`,
  'an enumeration': `enum Reason { A = 'Waiting' } conditions.false('Ready', Reason.A);`,
  'an assertion that names the values': `conditions.false('Ready', text as 'Waiting' | 'Lost');`,
  'the reason of another condition': `conditions.false('Ready', deployment.status?.conditions?.[0]?.reason ?? 'Unknown');`,
  'a function with constant results': `function reasonOf(): string { return cond ? 'A' : 'B'; }\nevents.normal(reasonOf(), 'x');`,
  'a code of several words': `conditions.true('Ready', 'Pods_Ready,And:More');`,
  'types with a domain': `conditionsOf(site, ['example.com/Ready', 'Ready']);`,
  'objects of others': `const log = { warning(a: string, b: string) { return a + b; } }; log.warning(error.message, 'x'); export const s = { type: 'Ready', status: 'True', reason: error.message };`,
  'methods of others': `const map = { true: (a: string, b: string) => a + b }; map.true('not a type', error.message);`,
  'times that do not pass': `events.normal('Done', new Date(step.count).toISOString()); conditions.true('Ready', 'Done', \`since \${deployment.metadata.creationTimestamp}\`);`,
  'a choice by the time': `events.normal('Done', now() > step.count ? 'late' : 'early');`,
  'an @allow above the line': `/** @allow manifests/varying-reason they are few */\nevents.warning(error.message, 'x');`,
  'an @allow above the function':
    "/** @allow manifests/reason-format as others do */\nexport function run() { events.warning('scaled', 'x'); conditions.true('Ready', 'done'); }",
  'an @allow above the text, used elsewhere':
    "/** @allow manifests/varying-reason they are few */\nconst reason = error.message;\nconditions.true('Ready', reason);",
  'an @allow above the use of a text':
    "const reason = error.message;\n/** @allow manifests/varying-reason they are few */\nconditions.true('Ready', reason);",
  'a quoted text': `events.normal('Done', \`host \${JSON.stringify(site.spec.name)} is taken\`);`,
};

const groups = {
  'varying-reason': varyingReasons,
  'varying-condition-type': varyingTypes,
  'reason-format': formats,
  'changing-message': passing,
  accepted,
};

const files = Object.entries(groups).flatMap(([group, cases]) =>
  Object.entries(cases).map(([name, code], index) => ({
    group,
    name,
    code,
    file: `src/${group}-${index}.ts`,
  })),
);

const folder = projectFolder({
  'src/site.ts': `import { defineResource, type CustomResource } from 'opsdk';
export interface Site extends CustomResource<'web.example.com/v1', 'Site'> { spec: { name?: string }; status?: { ready?: boolean } }
export const Site = defineResource<Site>({ group: 'web.example.com', version: 'v1', kind: 'Site' });`,
  ...Object.fromEntries(
    files.map(({ file, code }) => [file, `${header}\n${code.replaceAll(/[«»]/g, '')}\n`]),
  ),
});
afterAll(() => folder.remove());

const { warnings } = generateManifests({ projectDir: folder.dir, only: 'rbac' });

const isOf = ({ where }: Finding, name: string): boolean =>
  where !== undefined && 'file' in where && where.file === name;

/** The places between « and », as `line:column` in the file of the case, whose code begins in line 2. */
function marked(code: string): readonly string[] {
  const found: string[] = [];
  code.split('\n').forEach((line, index) => {
    let removed = 0;
    for (const { 0: mark, index: column } of line.matchAll(/[«»]/g)) {
      if (mark === '«') found.push(`${index + 2}:${column - removed + 1}`);
      removed += 1;
    }
  });
  return found;
}

describe.each(Object.keys(groups))('%s', (group) => {
  test.each(files.filter((each) => each.group === group))('$name', ({ code, file }) => {
    const found = warnings.filter((each) => isOf(each, file));
    const places = found.map(({ code: rule, where }) => {
      const { line, column } = where as { line: number; column: number };
      return `${rule} ${line}:${column}`;
    });
    expect(places.sort()).toEqual(
      marked(code)
        .map((place) => `manifests/${group} ${place}`)
        .sort(),
    );
    for (const { fix = [] } of found) expect(fix).not.toEqual([]);
  });
});

const messageOf = (name: string): string | undefined => {
  const file = files.find((each) => each.name === name)?.file ?? '';
  return warnings.find((each) => isOf(each, file))?.message;
};

test.each([
  [
    'the message of an error',
    'reason of an Event: expected a constant in CamelCase, got `error.message`, which varies',
  ],
  [
    'a template',
    'reason of an Event: expected a constant in CamelCase, got `${text}Failed`, of which `text` varies',
  ],
])('%s has a message with subject, expectation and value', (name, message) => {
  expect(messageOf(name)).toBe(message);
});
