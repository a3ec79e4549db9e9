import { uptime } from 'node:os';
import { expect, test } from 'vitest';
import { marksOf, ownerOf } from '../../../src/cluster/webhooks/other-configurations.ts';
import { localOwner } from '../../../src/testing/webhooks/with-webhook-urls.ts';

const own = JSON.parse(marksOf('a').owner) as { readonly host: string };
const fateOfOwner = (changes: object): string =>
  ownerOf({ [localOwner]: JSON.stringify({ ...own, ...changes }) }).fate;

const dayBeforeStart = Date.now() - (uptime() + 86_400) * 1000;
const otherBoot = { boot: 'another', at: dayBeforeStart, booted: dayBeforeStart / 1000 - 1 };

test.each([
  ['this process', {}, process.platform === 'linux' ? 'alive' : 'unknown'],
  ['one that is gone', { pid: 2 ** 22 + 1 }, 'dead'],
  ['one on a machine of the same name that was started before this one', otherBoot, 'unknown'],
  ['one that is gone here, of a machine of the same name', { ...otherBoot, pid: 2 ** 22 + 1 }, 'unknown'],
  ['one of a machine of the same name without a boot id', { ...otherBoot, boot: undefined }, 'unknown'],
  ['one on another machine', { host: 'elsewhere' }, 'unknown'],
  ['one that does not say when its machine was started', { booted: 'x' }, 'unknown'],
])('the fate of the owner of local webhooks: %s', (_title, changes, fate) => {
  expect(fateOfOwner(changes)).toBe(fate);
});

test.each([undefined, {}, { [localOwner]: '' }, { [localOwner]: '[]' }, { [localOwner]: '{"pid":1}' }])(
  'the owner is unknown by the annotations %j',
  (annotations) => expect(ownerOf(annotations)).toEqual({ host: undefined, fate: 'unknown' }),
);
