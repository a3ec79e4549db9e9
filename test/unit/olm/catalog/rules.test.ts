import { describe, expect, test } from 'vitest';
import { bundleOf, catalogFile, channelOf, foundIn, packageOf, type Json } from './catalog-files.ts';

const entry = { name: 'demo.v1.0.0' };
const valid = [packageOf(), channelOf([entry]), bundleOf('1.0.0')] as const;
const properties = (value: Json, ...more: readonly Json[]): Json => ({
  properties: [{ type: 'olm.package', value: { packageName: 'demo', version: '1.0.0', ...value } }, ...more],
});
const deprecated = (...entries: readonly Json[]): Json => ({
  schema: 'olm.deprecations',
  package: 'demo',
  entries,
});
const about = (schema: string, name?: string): Json => ({ schema, ...(name === undefined ? {} : { name }) });

/** The rules of `opm validate`, each broken once. */
const cases: readonly (readonly [rule: string, documents: readonly Json[], found: readonly string[]])[] = [
  ['a valid catalogue', valid, []],
  ['a document without schema', [...valid, { name: 'x' }], ['catalog/no-schema > name: x']],
  ['a schema that is not a text', [...valid, { schema: 1 }], ['catalog/no-schema > schema: 1']],
  ['another schema', [...valid, { schema: 'example.com.note', text: 'x' }], []],
  [
    'a field of another type',
    [packageOf({ description: 1 }), ...valid.slice(1)],
    ['catalog/invalid-field > description: 1'],
  ],
  [
    'an icon that is not base64',
    [packageOf({ icon: { base64data: '*', mediatype: 'image/png' } }), ...valid.slice(1)],
    ["catalog/invalid-field > base64data: '*'"],
  ],
  [
    'a field in another case',
    [...valid, { ...deprecated(), Entries: [] }],
    ['catalog/field-case > Entries: []'],
  ],
  [
    'a package without name',
    [packageOf({ name: '' }), ...valid],
    ['catalog/package-name > name: ""', 'catalog/no-channel > defaultChannel: stable'],
  ],
  [
    'a package named as a path',
    [packageOf({ name: '../x' }), ...valid],
    ['catalog/package-name > name: ../x', 'catalog/no-channel > defaultChannel: stable'],
  ],
  ['a package twice', [packageOf(), ...valid], ['catalog/duplicate > name: demo']],
  [
    'no default channel',
    [packageOf({ defaultChannel: '' }), ...valid.slice(1)],
    ['catalog/default-channel > defaultChannel: ""'],
  ],
  [
    'a default channel that is not there',
    [packageOf({ defaultChannel: 'x' }), ...valid.slice(1)],
    ['catalog/default-channel > defaultChannel: x'],
  ],
  ['no channel', [packageOf()], ['catalog/no-channel > defaultChannel: stable']],
  [
    'a channel without name',
    [...valid, channelOf([entry], { name: '' })],
    ['catalog/missing-name > name: ""'],
  ],
  ['a channel twice', [...valid, channelOf([entry])], ['catalog/duplicate > name: stable']],
  [
    'a channel of no package',
    [...valid, channelOf([entry], { package: 'x' })],
    ['catalog/unknown-package > package: x'],
  ],
  [
    'a channel without entries',
    [...valid, channelOf([], { name: 'x' })],
    ['catalog/empty-channel > entries: []'],
  ],
  [
    'an entry twice',
    [packageOf(), channelOf([entry, entry]), bundleOf('1.0.0')],
    ['catalog/duplicate > - name: demo.v1.0.0'],
  ],
  [
    'an entry without bundle',
    [packageOf(), channelOf([entry]), channelOf([{ name: 'x' }], { name: 'x' }), bundleOf('1.0.0')],
    ['catalog/entry-without-bundle > - name: x'],
  ],
  [
    'an empty skip',
    [packageOf(), channelOf([{ ...entry, skips: [''] }]), bundleOf('1.0.0')],
    ['catalog/invalid-skip > - ""'],
  ],
  [
    'an invalid skipRange',
    [packageOf(), channelOf([{ ...entry, skipRange: '^1.0.0' }]), bundleOf('1.0.0')],
    ['catalog/invalid-skip > skipRange: ^1.0.0'],
  ],
  [
    'a bundle in no channel',
    [...valid, bundleOf('2.0.0')],
    ['catalog/bundle-not-in-channel > name: demo.v2.0.0'],
  ],
  ['a bundle twice', [...valid, bundleOf('1.0.0')], ['catalog/duplicate > name: demo.v1.0.0']],
  [
    'a bundle of no package',
    [...valid, bundleOf('2.0.0', { package: '' })],
    ['catalog/invalid-property > packageName: demo', 'catalog/unknown-package > package: ""'],
  ],
  [
    'a bundle without name',
    [...valid.slice(0, 2), bundleOf('1.0.0'), bundleOf('2.0.0', { name: '' })],
    ['catalog/missing-name > name: ""', 'catalog/bundle-not-in-channel > name: ""'],
  ],
  [
    'a bundle without image',
    [...valid.slice(0, 2), bundleOf('1.0.0', { image: '' })],
    ['catalog/invalid-image > image: ""'],
  ],
  [
    'a bundle with objects in place of an image',
    [
      ...valid.slice(0, 2),
      bundleOf('1.0.0', {
        image: '',
        ...properties({}, { type: 'olm.bundle.object', value: { data: 'e30=' } }),
      }),
    ],
    [],
  ],
  [
    'an image that is none',
    [...valid.slice(0, 2), bundleOf('1.0.0', { image: 'A B' })],
    ['catalog/invalid-image > image: A B'],
  ],
  [
    'a related image that is none',
    [...valid.slice(0, 2), bundleOf('1.0.0', { relatedImages: [{ name: 'x', image: 'A B' }] })],
    ['catalog/invalid-image > - image: A B'],
  ],
  [
    'no property olm.package',
    [...valid.slice(0, 2), bundleOf('1.0.0', { properties: [] })],
    ['catalog/invalid-property > properties: []'],
  ],
  [
    'two properties olm.package',
    [...valid.slice(0, 2), bundleOf('1.0.0', properties({}, { type: 'olm.package', value: {} }))],
    ['catalog/invalid-property > properties:'],
  ],
  [
    'another package in the property',
    [...valid.slice(0, 2), bundleOf('1.0.0', properties({ packageName: 'x' }))],
    ['catalog/invalid-property > packageName: x'],
  ],
  [
    'a property of another form',
    [...valid.slice(0, 2), bundleOf('1.0.0', properties({}, { type: 'olm.gvk', value: { group: 1 } }))],
    ['catalog/invalid-property > group: 1'],
  ],
  [
    'what catalogues show of a bundle, in another form',
    [
      ...valid.slice(0, 2),
      bundleOf('1.0.0', properties({}, { type: 'olm.csv.metadata', value: { keywords: 'web' } })),
    ],
    ['catalog/invalid-property > keywords: web'],
  ],
  [
    'a property without value',
    [...valid.slice(0, 2), bundleOf('1.0.0', properties({}, { type: 'example.com' }))],
    ['catalog/invalid-property > - type: example.com'],
  ],
  [
    'a version that is none',
    [...valid.slice(0, 2), bundleOf('1.0.0', properties({ version: 'v1' }))],
    ['catalog/invalid-version > version: v1'],
  ],
  [
    'a release that is none',
    [...valid.slice(0, 2), bundleOf('1.0.0', properties({ release: '01' }))],
    ['catalog/invalid-version > release: "01"'],
  ],
  [
    'a name without the release',
    [...valid.slice(0, 2), bundleOf('1.0.0', properties({ release: '1' }))],
    ['catalog/bundle-name > name: demo.v1.0.0'],
  ],
  [
    'build metadata with a release',
    [...valid.slice(0, 2), bundleOf('1.0.0', properties({ version: '1.0.0+2', release: '1' }))],
    ['catalog/invalid-version > release: "1"'],
  ],
  [
    'a version twice',
    [
      packageOf(),
      channelOf([entry, { name: 'other', replaces: 'demo.v1.0.0' }]),
      bundleOf('1.0.0'),
      bundleOf('1.0.0', { name: 'other' }),
    ],
    ['catalog/duplicate-version > properties:'],
  ],
  [
    'valid deprecations',
    [
      ...valid,
      deprecated(
        { reference: about('olm.package'), message: 'x' },
        { reference: about('olm.channel', 'stable'), message: 'x' },
        { reference: about('olm.bundle', 'demo.v1.0.0'), message: 'x' },
      ),
    ],
    [],
  ],
  [
    'deprecations of no package',
    [...valid, { ...deprecated(), package: 'x' }],
    ['catalog/unknown-package > package: x'],
  ],
  ['deprecations twice', [...valid, deprecated(), deprecated()], ['catalog/duplicate > package: demo']],
  ...(
    [
      ['without schema', { reference: {}, message: 'x' }, 'reference: {}'],
      ['of another schema', { reference: about('x'), message: 'x' }, 'schema: x'],
      ['of a package by name', { reference: about('olm.package', 'demo'), message: 'x' }, 'name: demo'],
      ['of a channel that is not there', { reference: about('olm.channel', 'x'), message: 'x' }, 'name: x'],
      ['of a bundle that is not there', { reference: about('olm.bundle', 'x'), message: 'x' }, 'name: x'],
      ['without message', { reference: about('olm.package') }, '- reference:'],
    ] as const
  ).map(
    ([what, item, line]) =>
      [
        `a deprecation ${what}`,
        [...valid, deprecated(item)],
        [`catalog/invalid-deprecation > ${line}`],
      ] as const,
  ),
  [
    'a deprecation twice',
    [
      ...valid,
      deprecated(
        { reference: about('olm.package'), message: 'x' },
        { reference: about('olm.package'), message: 'y' },
      ),
    ],
    ['catalog/invalid-deprecation > reference:'],
  ],
];

describe('the rules of a catalogue', () => {
  test.each(cases)('%s', async (_rule, documents, expected) => {
    const { found, messages } = await foundIn(catalogFile(...documents));
    expect(found, messages.join('\n')).toEqual(expected);
  });
});
