import { request } from 'node:http';

/** Milliseconds; it answers at once or is not there. */
const answerTimeout = 2_000;

/**
 * Whether the etcd on a port of 127.0.0.1 is the one of that name. Somebody else's may have been faster to take the port: an
 * API server that is started on it would share its data.
 * Source: etcd's `MemberList` through its JSON gateway.
 *
 * @throws Error if nobody answers, or not etcd
 */
export function isEtcdMember(port: number, name: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const asking = request(
      {
        host: '127.0.0.1',
        port,
        method: 'POST',
        path: '/v3/cluster/member/list',
        agent: false,
        signal: AbortSignal.timeout(answerTimeout),
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('error', reject);
        response.on('end', () => {
          try {
            const { members = [] } = JSON.parse(text) as { readonly members?: readonly { name?: string }[] };
            resolve(members.some((member) => member.name === name));
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        });
      },
    );
    asking.on('error', reject);
    asking.end('{}');
  });
}
