import { isIP } from 'node:net';
import type { FindingList } from '../../../base/errors/index.ts';
import { invalidFlag } from './flag-values.ts';

/** Notes a finding if `--webhook-host` is neither an IP address nor the name of a machine. */
export function checkWebhookHost(findings: FindingList, host: string | undefined): void {
  if (host === undefined || isIP(host) !== 0) return;
  const label = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
  if (host.length <= 253 && new RegExp(`^${label}(?:\\.${label})*$`, 'i').test(host)) return;
  findings.add(
    invalidFlag(
      '--webhook-host',
      `--webhook-host: expected an IP address or a host name, got ${JSON.stringify(host)}`,
      'leave out scheme and port: --webhook-host=172.18.0.1',
    ),
  );
}
