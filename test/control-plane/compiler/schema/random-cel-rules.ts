// Rules as people mistype them: right ones of a small grammar, in which any name may be another one.
import fc from 'fast-check';

const fields = [
  'name',
  'count',
  'ratio',
  'since',
  'on',
  'item',
  'items',
  'names',
  'labels',
  'byName',
  'amount',
  'open',
  'port',
];
const wrong = ['nam', 'any', 'anyList', 'a', 'namespace', '__namespace__', 'a__dash__b', 'in'];
const field = fc.oneof(
  { arbitrary: fc.constantFrom(...fields), weight: 9 },
  { arbitrary: fc.constantFrom(...wrong), weight: 1 },
);
const variable = fc.constantFrom('i', 'k');
const method = fc.constantFrom(
  'size()',
  'trim()',
  'startsWith("a")',
  'sum()',
  'first()',
  'value()',
  'hasValue()',
  'len()',
);

const { value, condition } = fc.letrec<{ value: string; condition: string; place: string }>((tie) => ({
  place: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { arbitrary: fc.constantFrom('self', 'self', 'self', 'oldSelf', 'i', 'k', 'slef'), weight: 4 },
    { arbitrary: fc.tuple(tie('place'), field).map(([of, name]) => `${of}.${name}`), weight: 6 },
    { arbitrary: fc.tuple(tie('place'), field).map(([of, name]) => `${of}.?${name}`), weight: 1 },
    { arbitrary: tie('place').map((of) => `${of}[0]`), weight: 1 },
    { arbitrary: tie('place').map((of) => `${of}["a"]`), weight: 1 },
  ),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { arbitrary: tie('place'), weight: 6 },
    { arbitrary: fc.constantFrom('1', '1.5', '"a"', 'true', 'null', '[1]', '{"a": 1}'), weight: 2 },
    { arbitrary: fc.tuple(tie('value'), method).map(([of, call]) => `${of}.${call}`), weight: 1 },
    {
      arbitrary: fc
        .tuple(tie('place'), fc.constantFrom('map', 'filter'), variable, tie('value'))
        .map(([of, name, bound, result]) => `${of}.${name}(${bound}, ${result})`),
      weight: 1,
    },
    {
      arbitrary: fc
        .tuple(tie('condition'), tie('value'), tie('value'))
        .map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
      weight: 1,
    },
  ),
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    {
      arbitrary: fc
        .tuple(tie('value'), fc.constantFrom('==', '!=', '>', 'in'), tie('value'))
        .map((parts) => parts.join(' ')),
      weight: 5,
    },
    { arbitrary: fc.tuple(tie('place'), field).map(([of, name]) => `has(${of}.${name})`), weight: 2 },
    {
      arbitrary: fc
        .tuple(tie('place'), fc.constantFrom('all', 'exists', 'exists_one'), variable, tie('condition'))
        .map(([of, name, bound, result]) => `${of}.${name}(${bound}, ${result})`),
      weight: 2,
    },
    {
      arbitrary: fc.tuple(tie('place'), tie('condition')).map(([of, result]) => `${of}.all(k, i, ${result})`),
      weight: 1,
    },
    {
      arbitrary: fc
        .tuple(tie('condition'), fc.constantFrom('&&', '||'), tie('condition'))
        .map((parts) => parts.join(' ')),
      weight: 1,
    },
    { arbitrary: tie('condition').map((inner) => `!(${inner})`), weight: 1 },
  ),
}));

/** A condition, seldom another value, seldom with a sign too many or too few. */
export const randomRule: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof({ arbitrary: condition, weight: 9 }, { arbitrary: value, weight: 1 }),
    fc.option(fc.tuple(fc.nat(200), fc.constantFrom('', '(', '.', ',', '"', ' a ', '?')), { freq: 12 }),
  )
  .map(([rule, slip]) => {
    if (slip === null) return rule;
    const at = slip[0] % (rule.length + 1);
    return `${rule.slice(0, at)}${slip[1]}${rule.slice(at + (slip[1] === '' ? 1 : 0))}`;
  });
