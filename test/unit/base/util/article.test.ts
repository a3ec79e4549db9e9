import { expect, test } from 'vitest';
import { withArticle } from '../../../../src/base/util/words.ts';

test.each([
  ...['an EtcdCluster', 'an Application', 'an Ingress', 'an Umbrella', 'an Uninstall', 'an Hourly'],
  ...['an HTTPRoute', 'an SSHKey', 'an S3Bucket', 'an LDAPServer', 'an IPAddress', 'an XCluster'],
  ...['a Memcached', 'a User', 'a Unit', 'a UnitTest', 'a OneShot', 'a European', 'a Host'],
  ...['a URL', 'a DNSRecord', 'a NATSCluster', 'a VM', 'a Utility', 'a UPSDevice'],
])('%s', (text) => {
  expect(withArticle(text.replace(/^an? /, ''))).toBe(text);
});
