// What doctor says of a registry without credentials, by its answer, and by its name where it gives none.
import { expect, test } from 'vitest';
import { type CheckResult, registry } from '../../../../src/cluster/doctor/diagnose.ts';
import { doctorFixture } from './fixture.ts';

const { project, results } = doctorFixture();

async function verdict(host: string, asks: boolean | undefined): Promise<CheckResult | undefined> {
  const world = {
    registryOf: () => Promise.resolve({ registry: host, hasCredentials: false }),
    asksForCredentials: () => Promise.resolve(asks),
  };
  return (await results(project(), world, [registry]))['registry'];
}

test.each(['localhost:5000', '10.1.2.3', 'harbor', 'registry.corp.internal', 'harbor.mycorp.local:5000'])(
  '%s is asked, local or not, and its answer counts',
  async (host) => {
    expect(await verdict(host, true)).toMatchObject({
      status: 'warning',
      code: 'cluster/no-registry-credentials',
    });
    expect(await verdict(host, false)).toMatchObject({
      status: 'ok',
      message: `${host} answers without credentials; a push may still need them`,
    });
  },
);

test.each([
  ...['localhost', 'localhost:5000', 'registry.localhost', '127.0.0.1:5000', '[::1]:5000', '[fd00::1]'],
  ...['10.1.2.3', '172.16.0.1:5000', '192.168.1.1:5000'],
])('%s is local: ok without an answer', async (host) => {
  expect(await verdict(host, undefined)).toMatchObject({
    status: 'ok',
    message: expect.stringContaining('a local registry') as string,
  });
});

test.each([
  ...['registry.corp.internal', 'harbor.mycorp.local:5000', 'harbor', 'registry:5000', '[2001:db8::1]:5000'],
  ...['10.example.com', '172.16.cdn.io', '172.32.0.1:5000', 'registry.example.com', '10.256.1.1'],
])('%s is not known to be local: a warning without an answer', async (host) => {
  expect(await verdict(host, undefined)).toMatchObject({
    status: 'warning',
    code: 'cluster/no-registry-credentials',
  });
});
