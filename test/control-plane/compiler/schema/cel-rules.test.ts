// What is said of CEL rules without an API server is what the API server says.
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { supportedKubernetes } from '../../../../src/base/util/kubernetes-releases.ts';
import { checkSchemaRules } from '../../../../src/kubernetes/crd/rules/schema/index.ts';
import { apiRequest } from '../../../../src/testing/http/api-request.ts';
import { sharedControlPlane, uniqueName, type SharedControlPlane } from '../../../helpers/control-plane.ts';
import { runs } from '../../../helpers/thorough.ts';
import { definition, type Schema } from './crd-diff-cases.ts';
import { randomRule } from './random-cel-rules.ts';
import { isServerOlderThan } from '../../../helpers/server-version.ts';

let controlPlane: SharedControlPlane;
beforeAll(async () => {
  controlPlane = await sharedControlPlane();
});

const text: Schema = { type: 'string', maxLength: 10 };
const item: Schema = { type: 'object', properties: { name: text, port: { type: 'integer' } } };

/** A value of every kind that rules see, and of those that they do not. */
const self: Schema = {
  type: 'object',
  properties: {
    name: text,
    count: { type: 'integer' },
    ratio: { type: 'number' },
    on: { type: 'boolean' },
    since: { type: 'string', format: 'date-time' },
    ttl: { type: 'string', format: 'duration' },
    data: { type: 'string', format: 'byte', maxLength: 10 },
    amount: { 'x-kubernetes-int-or-string': true, maxLength: 10 },
    any: { 'x-kubernetes-preserve-unknown-fields': true },
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    item,
    items: { type: 'array', maxItems: 3, items: item },
    names: { type: 'array', maxItems: 3, items: text },
    labels: { type: 'object', maxProperties: 3, additionalProperties: text },
    byName: { type: 'object', maxProperties: 3, additionalProperties: item },
    anyList: { type: 'array', maxItems: 3, items: { 'x-kubernetes-preserve-unknown-fields': true } },
    'a-b': text,
    'c.d/e': text,
    f__g: text,
    namespace: text,
    in: text,
    ä: text,
    resource: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { spec: item },
    },
  },
};

interface Rule {
  readonly rule: string;
  readonly messageExpression?: string;
  readonly optionalOldSelf?: boolean;
}

/** What both say of each rule: the API server is asked about all at once, without storing. */
async function judge(rules: readonly Rule[]): Promise<readonly { ours: string[]; server: string[] }[]> {
  const properties = Object.fromEntries(
    rules.map((rule, index) => [`r${index}`, { ...self, 'x-kubernetes-validations': [rule] }]),
  );
  const verdicts = rules.map(() => ({ ours: [] as string[], server: [] as string[] }));
  checkSchemaRules(
    { type: 'object', properties: { spec: { type: 'object', properties } } },
    {
      path: [],
      hasStatus: false,
      problem: (path, message) => verdicts[Number(String(path[3]).slice(1))]?.ours.push(message),
    },
  );
  const body = definition(`${uniqueName()}.example.com`, text, properties);
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All';
  const answer = await apiRequest(controlPlane, { method: 'POST', path, body });
  const { details } = JSON.parse(answer.text) as {
    readonly details?: {
      readonly causes?: readonly { readonly field?: string; readonly message?: string }[];
    };
  };
  for (const { field = '', message = '' } of details?.causes ?? []) {
    const index = /\.properties\[r(\d+)\]\.x-kubernetes-validations/.exec(field)?.[1];
    const isAboutCosts = /^Forbidden: (?:estimated|contributed)/.test(message);
    if (index !== undefined && !isAboutCosts) verdicts[Number(index)]?.server.push(message);
    else expect(isAboutCosts || /openAPIV3Schema$/.test(field), `${field}: ${message}`).toBe(true);
  }
  return verdicts;
}

describe('rules that the API server takes', () => {
  const accepted: readonly Rule[] = [
    'self.name == "x" && has(self.item.name) && self.item.port > 1',
    'self.items.all(i, i.name != "" && self.names.exists(n, n == i.name))',
    'self.labels.all(k, k.startsWith("a") && self.labels[k] != "" && self.labels.x == "")',
    'self.byName.exists(k, self.byName[k].port > 1) && self.byName.z.name == "z"',
    'self.items.map(i, i.port).sum() > 3 && self.items.filter(i, i.port > 1).size() > 1',
    'self.items.map(i, i.port > 1, i.name).exists(n, n == "")',
    'self.items.exists_one(i, i.name == "")',
    'self.items.all(index, i, index > 0 && i.name != "") || self.byName.exists(k, v, v.name == k)',
    'self.items.transformList(index, i, i.name).exists(n, n == "")',
    'self.byName.transformMap(k, v, v.port).all(k, k == "")',
    'self.items.sortBy(i, i.port)[0].name == ""',
    'self.?item.?name.orValue("") == "" && self.?item.name.hasValue()',
    'self.items[?0].?name.orValue("") == "" && self.item.?name.optMap(n, n + "a").orValue("") == "a"',
    'self.byName[?"a"].optFlatMap(i, i.?name).hasValue() || optional.of(self.item).value().name == ""',
    'self.items.first().value().name == "" || self.names.last().orValue("") == ""',
    'self.a__dash__b == self.c__dot__d__slash__e && self.f__underscores__g == self.__namespace__ && self.namespace == "" && self.__in__ == ""',
    'self.resource.kind == "A" && self.resource.metadata.name == "" && self.resource.spec.port == 1',
    'type(self.amount) == int ? self.amount < 5 : self.amount.contains("%")',
    'dyn(self.item).other == 1 && type(self.count) == type(1)',
    'self.since.getFullYear() > 2020 && self.ttl < duration("1h") && timestamp("2020-01-01T00:00:00Z") < self.since',
    'quantity("1Gi").isGreaterThan(quantity("1Mi")) && isQuantity(self.name) && url("http://a/").getHost() == "a"',
    'ip("1.2.3.4").family() == 4 && cidr("1.0.0.0/8").containsIP("1.2.3.4") && ip.isCanonical("::1")',
    '!format.dns1123Label().validate(self.name).hasValue() && semver("1.2.3").major() == 1',
    'sets.contains(self.names, ["a"]) && self.names.join(",").split(",").size() > 0 && lists.range(3).size() == 3',
    'self.name.find("a") == "" && self.name.lowerAscii().charAt(0) == "a" && "%s".format([self.name]) == "a"',
    '{"a": 1}.a == 1 && [1, 2].exists(x, x == self.count) && {"a": self.item}["a"].name == ""',
    '(self.on ? self.items[1] : self.items[0]).name == "" && self.items.existsOne(n, i, i.port == n)',
    'self.data.size() > 1 && b"a" == self.data && bytes("a") == self.data',
    '[?self.?name].size() == 1 && {?"a": self.?name}.size() == 1',
    'google.protobuf.Timestamp{seconds: 1} == self.since || true',
    'has(self.open) && self.open == self.open && size(self.names) in [1, 2]',
    'self == oldSelf && oldSelf.item.name == ""',
    'strings.quote(self.name) == "" && self.names.isSorted() && self.names.indexOf("a") == 1',
    '[[1, 2]].flatten().distinct().reverse().slice(0, 1).sort() == [1]',
    'self.items.all(self, self.name == "")',
    'self.count > -1 && self.ratio > 1 && self.count < self.ratio && - 1 < 1 && 0x1F == 31 && 1.5e3 > .5 && 1u < 2u',
  ]
    // The library of lists, formats and semantic versions of Kubernetes 1.34.
    .filter((rule) => !isServerOlderThan('1.34') || !/sortBy|dns1123Label|lists\.range|flatten/.test(rule))
    .map((rule): Rule => ({ rule }));
  const withMessages: readonly Rule[] = [
    { rule: 'true', messageExpression: '"name " + self.name + string(self.count)' },
    { rule: 'oldSelf.orValue(self).name == "" && oldSelf.hasValue()', optionalOldSelf: true },
    { rule: 'oldSelf.name.orValue("") == ""', optionalOldSelf: true },
  ];

  test('are taken offline', async () => {
    const rules = [...accepted, ...withMessages];
    const verdicts = await judge(rules);
    const wrong = rules.flatMap((rule, index) => {
      const { ours = [], server = [] } = verdicts[index] ?? {};
      return ours.length + server.length > 0 ? [{ rule, ours, server }] : [];
    });
    expect(wrong).toEqual([]);
  });
});

describe('rules that it refuses', () => {
  const refused: readonly (readonly [string, string])[] = [
    ['self.nam == ""', '`self` has no field `nam`; did you mean `name`?'],
    ['self.item.ports > 1', '`self.item` has no field `ports`; did you mean `port`?'],
    ['self.items.all(i, i.nam != "")', '`i` has no field `nam`; did you mean `name`?'],
    ['self.items.name == ""', '`self.items` is a list, which has no fields: `name`'],
    ['self.items[0].nam == ""', '`self.items[…]` has no field `nam`; did you mean `name`?'],
    ['self.byName.x.nam == ""', '`self.byName.x` has no field `nam`; did you mean `name`?'],
    ['self.byName.all(k, v, v.nam == "")', '`v` has no field `nam`; did you mean `name`?'],
    ['has(self.item.nam)', '`self.item` has no field `nam`; did you mean `name`?'],
    ['self.?item.?nam.hasValue()', '`self.?item` has no field `nam`; did you mean `name`?'],
    ['self.item.?name.optMap(n, other).hasValue()', 'unknown name `other`; expected `self`, `oldSelf`, `n`'],
    ['self.name.first == ""', '`self.name` is a string, which has no fields: `first`'],
    ['self.count.x == ""', '`self.count` is an int, which has no fields: `x`'],
    ['self.any == ""', '`self` has a field `any` without a type, which rules cannot read'],
    ['self.anyList.size() > 0', '`self` has a field `anyList` without a type, which rules cannot read'],
    ['self.open.x == ""', '`self.open` has no field `x`'],
    ['self.in == ""', 'the rule is not valid CEL: unexpected `in` after `.`'],
    ['package == ""', 'unknown name `package`; expected `self`, `oldSelf`'],
    ['self.a_b == ""', '`self` has no field `a_b`'],
    ['self["name"] == ""', '`self` is an object, which has no items: write `.name` for a field'],
    ['self.item["name"] == ""', '`self.item` is an object, which has no items: write `.name` for a field'],
    ['self.resource.metadata.labels == ""', '`self.resource.metadata` has no field `labels`'],
    ['self.resource.item == ""', '`self.resource` has no field `item`'],
    ['slef.name == ""', 'unknown name `slef`; expected `self`, `oldSelf`'],
    ['name == ""', 'unknown name `name`; expected `self`, `oldSelf`'],
    ['self.names.all(n, x == "")', 'unknown name `x`; expected `self`, `oldSelf`, `n`'],
    ['self.names.all(n, .n == "")', 'unknown name `n`; expected `self`, `oldSelf`'],
    ['self.item.all(i, i == "")', '`self.item` is an object, which `all` cannot loop over'],
    ['self.name.all(i, i == "")', '`self.name` is a string, which `all` cannot loop over'],
    ['self.name.startWith("a")', 'unknown function `startWith`; did you mean `startsWith`?'],
    ['self.name.toUpper() == ""', 'unknown function `toUpper`; no version of Kubernetes up to 1.37 has it'],
    ['len(self.name) > 1', 'unknown function `len`; no version of Kubernetes up to 1.37 has it'],
    [
      'format.dns1123Labl().validate(self.name).hasValue()',
      'unknown function `format.dns1123Labl`; did you mean `format.dns1123Label`?',
    ],
    [
      'cel.bind(x, self.name, x == "")',
      'unknown function `cel.bind`; no version of Kubernetes up to 1.37 has it',
    ],
    [
      'math.greatest(1, 2) == 2',
      'unknown function `math.greatest`; no version of Kubernetes up to 1.37 has it',
    ],
    ['Other{name: 1} == self.item', 'unknown type `Other`'],
    ['self.count == "1"', '`==` cannot compare an int with a string: `self.count` and `"1"`'],
    ['self.ratio == 1', '`==` cannot compare a double with an int: `self.ratio` and `1`'],
    ['self.name < 1', '`<` cannot compare a string with an int: `self.name` and `1`'],
    ['self.on != self.since', '`!=` cannot compare a bool with a timestamp: `self.on` and `self.since`'],
    ['has(self)', '`has` needs a field, such as `has(self.name)`'],
    ['has(self.names[0])', '`has` needs a field, such as `has(self.name)`'],
    ['self.name', 'the rule gives a string, not true or false'],
    ['self.items', 'the rule gives a list, not true or false'],
    ['self.items.map(i, i.port)', 'the rule gives a list, not true or false'],
    ['self.name ==', 'the rule is not valid CEL: something is missing after `==`'],
    ['self.name == "" self.on', 'the rule is not valid CEL: unexpected `self` after `""`'],
    ['self..name == ""', 'the rule is not valid CEL: unexpected `.` after `.`'],
    ['self.name == "" && && self.on', 'the rule is not valid CEL: unexpected `&&` after `&&`'],
    ['self.on ? self.on ? true : true : true', 'the rule is not valid CEL: unexpected `?` after `on`'],
    ['self.names.all(n, )', 'the rule is not valid CEL: unexpected `)` after `,`'],
    ['self.`a-b` == ""', 'names in backquotes are not supported; write `a__dash__b` for `a-b`'],
  ];

  test('are refused offline, for the same reason', async () => {
    const verdicts = await judge(refused.map(([rule]) => ({ rule })));
    for (const [index, [rule, message]] of refused.entries()) {
      const { ours, server } = verdicts[index] ?? { ours: [], server: [] };
      expect({ rule, ours }).toEqual({ rule, ours: [expect.stringContaining(message)] });
      // Older servers look a name with a leading dot up in the loop, too: what the offline check refuses would change its meaning.
      if (rule.includes(' .n ') && isServerOlderThan(supportedKubernetes.newest)) continue;
      expect({ rule, server }).not.toEqual({ rule, server: [] });
    }
  });

  test.each([
    [{ rule: 'true', messageExpression: 'self.count' }, 'messageExpression gives an int, not a string'],
    [{ rule: 'true', messageExpression: 'self.nam' }, 'messageExpression does not fit the schema'],
    [{ rule: 'oldSelf.nam.hasValue()', optionalOldSelf: true }, '`oldSelf` has no field `nam`'],
  ])('%j', async (rule, message) => {
    const [verdict] = await judge([rule]);
    expect(verdict?.ours.join('\n')).toContain(message);
    expect(verdict?.server).not.toEqual([]);
  });
});

/** What the API server says where a name does not exist. */
const aboutNames = /undefined field|undeclared reference|does not support field selection|Syntax error/;

test('random rules get the verdict of the API server', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(randomRule, { minLength: 40, maxLength: 40 }), async (rules) => {
      const verdicts = await judge(rules.map((rule) => ({ rule })));
      const wrong = rules.flatMap((rule, index) => {
        const { ours = [], server = [] } = verdicts[index] ?? {};
        const missed = ours.length === 0 && server.some((message) => aboutNames.test(message));
        const invented = ours.length > 0 && server.length === 0;
        return missed || invented ? [{ rule, ours, server }] : [];
      });
      expect(wrong).toEqual([]);
    }),
    { numRuns: runs(60), endOnFailure: true },
  );
});
