import { conditionsOf, waitingFor, type ReconcileContext, type Stored } from 'opsdk';
import { Secret } from 'opsdk/k8s/core/v1';
import { DistributedRedisCluster } from '../api/redis/v1alpha1/distributed-redis-cluster.ts';
import { ownConditions } from './status.ts';

/** @throws what a reconcile waits for, after the conditions say it, unless the Secret has a password that can be used */
export async function passwordOf(
  cluster: Stored<DistributedRedisCluster>,
  { client, key }: ReconcileContext,
): Promise<string | undefined> {
  const { passwordSecret } = cluster.spec;
  if (passwordSecret === undefined) return undefined;
  const name = { name: passwordSecret.name, namespace: key.namespace };
  const waitFor = async (reason: string, message: string): Promise<Error> => {
    const conditions = conditionsOf(cluster, ownConditions);
    conditions.false('Ready', reason, message).true('Degraded', reason, message);
    await client.mergeStatus(DistributedRedisCluster, key, { conditions: conditions.toJSON() });
    return waitingFor(Secret, name, '15s');
  };
  const secret = await client.live.find(Secret, name);
  if (secret === undefined) throw await waitFor('PasswordMissing', `Secret ${name.name} does not exist`);
  const password = Buffer.from(secret.data?.['password'] ?? '', 'base64').toString('utf8');
  if (password === '')
    throw await waitFor('PasswordMissing', `Secret ${name.name}: the key password is missing or empty`);
  const [refused] = /["\\]|[\0-\x1f\x7f]/.exec(password) ?? [];
  if (refused !== undefined)
    throw await waitFor(
      'PasswordInvalid',
      `Secret ${name.name}: the key password has ${nameOfCharacter(refused)}, which redis.conf cannot have in a password`,
    );
  return password;
}

/** Returns the name of a character that a password must not have, and nothing else of the password. */
function nameOfCharacter(character: string): string {
  if (character === '"') return 'a double quote';
  if (character === '\\') return 'a backslash';
  return character === '\n' || character === '\r' ? 'a line break' : 'a control character';
}
