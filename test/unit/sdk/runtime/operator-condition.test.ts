import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { operatorCondition, type ControllerClient } from '../../../../src/index.ts';

/** Nothing is asked of it. */
const client = {} as ControllerClient;

beforeEach(() => {
  vi.stubEnv('OPERATOR_CONDITION_NAME', undefined);
  vi.stubEnv('POD_NAMESPACE', undefined);
});
afterEach(() => vi.unstubAllEnvs());

describe('without OLM', () => {
  test('the condition is not available, and its methods say what is missing, all at once', async () => {
    const condition = operatorCondition(client);
    expect(condition.available).toBe(false);
    for (const call of [
      () => condition.set('Upgradeable', 'True', 'Ready'),
      () => condition.get('Upgradeable'),
    ]) {
      await expect(call()).rejects.toMatchObject({
        findings: [
          {
            code: 'runtime/no-operator-condition',
            message: expect.stringContaining('OPERATOR_CONDITION_NAME'),
            fix: [expect.stringContaining('OLM'), expect.stringContaining('condition.available')],
          },
          { code: 'runtime/no-operator-condition', message: expect.stringContaining('namespace') },
        ],
      });
    }
  });

  test('one that is named is not missing', async () => {
    const named = operatorCondition(client, { name: 'a' });
    expect(named.available).toBe(true);
    await expect(named.get('Upgradeable')).rejects.toMatchObject({
      findings: [{ fix: [expect.stringContaining('POD_NAMESPACE'), expect.any(String)] }],
    });
  });

  test('what the API server would refuse is refused first', async () => {
    const condition = operatorCondition(client);
    await expect(condition.set('Upgrade able', 'True', 'R')).rejects.toThrow('runtime/invalid-condition');
    await expect(condition.set('Upgradeable', 'True', 'not CamelCase')).rejects.toThrow(
      'runtime/invalid-condition',
    );
  });
});
