import { describe, expect, test } from 'vitest';
import { isOpSdkError } from '../../../src/base/errors/index.ts';
import { checkExtraFlags } from '../../../src/testing/control-plane/flags.ts';
import {
  isTestenvKubeconfig,
  kubeconfigText,
} from '../../../src/testing/control-plane/controller-manager.ts';

describe('apiServerFlags', () => {
  test('those that are not ours are let through', () => {
    expect(() => checkExtraFlags(['--watch-cache=false', '--v=4'])).not.toThrow();
  });

  test('those that the control plane needs are refused, all at once', () => {
    try {
      checkExtraFlags(['--secure-port=6443', '--v=4', '--tls_cert_file=x', 'v=4', '--feature-gates=A=true']);
    } catch (error) {
      if (!isOpSdkError(error)) throw error;
      expect(error.findings.map(({ message }) => message)).toEqual([
        'apiServerFlags sets --secure-port: a free port is chosen; read it from `url`',
        'apiServerFlags sets --tls_cert_file: certificates are made for each control plane',
        'apiServerFlags holds "v=4", which is not of the form --flag=value',
        'apiServerFlags sets --feature-gates: use the option `featureGates`',
      ]);
      return;
    }
    expect.unreachable();
  });
});

describe('kubeconfig files', () => {
  const cluster = { url: 'https://127.0.0.1:1', caCertificate: 'the CA' };

  test('ours are recognised', () => {
    expect(isTestenvKubeconfig(kubeconfigText(cluster, { name: 'x', credentials: { token: 't' } }))).toBe(
      true,
    );
  });

  test.each([
    ['nothing', ''],
    ['no YAML', 'a: ['],
    ['text', 'hello'],
    ['another cluster', 'clusters: [{ name: production }]'],
    ['one more cluster', 'clusters: [{ name: op-sdk-testenv }, { name: production }]'],
    ['clusters that are no list', 'clusters: op-sdk-testenv'],
  ])('%s is not ours', (_name, text) => {
    expect(isTestenvKubeconfig(text)).toBe(false);
  });
});
