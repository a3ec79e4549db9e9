import { expectRoundTrip } from 'opsdk/testing';
import { it } from 'vitest';
import { memcachedConversion } from '../../../src/conversions/cache/memcached.ts';

// Random objects of each version, there and back again.
it('loses nothing between the versions', async () => {
  await expectRoundTrip(memcachedConversion);
});
