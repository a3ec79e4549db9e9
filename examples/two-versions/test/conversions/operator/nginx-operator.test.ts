import { expectRoundTrip } from 'opsdk/testing';
import { it } from 'vitest';
import { nginxOperatorConversion } from '../../../src/conversions/operator/nginx-operator.ts';

it('loses nothing between the versions', async () => {
  await expectRoundTrip(nginxOperatorConversion);
});
