import { join } from 'node:path';
import { expectRoundTrip } from 'opsdk/testing';
import { it } from 'vitest';
import { flinkClusterConversion } from '../../../src/conversions/flink/flink-cluster.ts';

const crds = [join(import.meta.dirname, '../../../config/crd/bases')];

// Random objects of each version, there and back again.
it('loses nothing between the versions', async () => {
  await expectRoundTrip(flinkClusterConversion, { crds });
});
