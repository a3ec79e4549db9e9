import { type } from 'arktype';

const source = type({ type: "'git'", url: 'string' }, '|', { type: "'oci'", image: 'string' });

export const schema = type({
  spec: {
    size: 'number.integer >= 1 = 1',
    image: type('string >= 1').configure({ description: 'Image to run.' }),
    'mode?': "'Recreate' | 'RollingUpdate'",
    note: 'string | null',
    'source?': source,
    'labels?': 'Record<string, string>',
    'percent?': 'number.integer | string',
    'tags?': 'string[] <= 3',
    'enabled?': 'boolean',
    'mail?': 'string.email',
    'id?': 'string.uuid',
    'values?': 'Record<string, unknown>',
    'ports?': [
      { name: 'string', port: '1 <= number.integer <= 65535', protocol: "'TCP' | 'UDP' = 'TCP'" },
      '[]',
    ],
  },
  'status?': { 'ready?': 'number.integer' },
});
