import { lookup } from 'node:dns/promises';

const clusterName = /\.svc(\.cluster\.local)?\.?$/;

/**
 * Returns the host by which the programs in Pods reach a Pod or a Service. In a cluster that is the name itself. Under `op-sdk dev` with
 * `test/programs.yaml`, programs are processes of this machine that cannot look up names of a cluster: there it is the address, which a
 * Pod has before it is created, and which its successor of the same name has, too.
 *
 * Commands, arguments and variables of containers need no such call, since their names are replaced. Call it for names that reach programs
 * in another way, such as the peer URL with which a member joins a database.
 *
 * @param name whole name, such as `POD.SUBDOMAIN.NAMESPACE.svc` or `SERVICE.NAMESPACE.svc`; other names are returned as they are
 * @throws Error with code `ENOTFOUND` if `op-sdk dev` knows no such name
 *
 * @example
 * await database.addMember(`https://${await programHost(`${pod}.${service}.${namespace}.svc`)}:2380`);
 */
export async function programHost(name: string): Promise<string> {
  if (process.env['OPSDK_PROGRAMS'] !== 'true' || !clusterName.test(name)) return name;
  return (await lookup(name, { family: 4 })).address;
}
