import {
  conditionsOf,
  defineController,
  defineIndex,
  isForbidden,
  labelsChanged,
  metadataOnly,
  OpSdkError,
  requeueAfter,
  terminalError,
  watch,
  type ControllerClient,
  type Stored,
} from 'opsdk';
import { Namespace } from 'opsdk/k8s/core/v1';
import { ClusterRoleBinding, RoleBinding } from 'opsdk/k8s/rbac/v1';
import { RBACDefinition } from '../../api/access/v1alpha1/rbac-definition.ts';
import { bindingObject, desiredBindings, type DesiredBinding } from '../../grants/desired-bindings.ts';

const ownerOf = ({ metadata }: RoleBinding | ClusterRoleBinding) =>
  metadata.ownerReferences?.find(({ controller }) => controller)?.uid;
const roleBindings = defineIndex(RoleBinding, 'definition', ownerOf);
const clusterRoleBindings = defineIndex(ClusterRoleBinding, 'definition', ownerOf);

/** Keeps the RoleBindings and ClusterRoleBindings of each RBACDefinition as it says. The garbage collector removes them with it. */
export const rbacDefinitionController = defineController({
  for: RBACDefinition,
  owns: [RoleBinding, ClusterRoleBinding],
  watches: [
    // Any definition may select the namespace. Nothing is written where nothing changes.
    watch(metadataOnly(Namespace), {
      map: async (_namespace, { client }) =>
        (await client.list(RBACDefinition)).items.map(({ metadata }) => metadata),
      predicates: [labelsChanged],
    }),
  ],
  indexes: [roleBindings, clusterRoleBindings],
  async reconcile(definition, { client, key, events }) {
    const { bindings, missing } = desiredOf(definition, (await client.list(metadataOnly(Namespace))).items);
    const wanted = new Set<string>();
    const refused: string[] = [];
    const failures: unknown[] = [];
    let granted = 0;
    for (const binding of bindings) {
      wanted.add(placeOf(binding));
      // One grant that is refused does not keep others from theirs.
      try {
        await grant(definition, binding, client);
        granted += 1;
      } catch (error) {
        if (isForbidden(error)) refused.push(`${placeOf(binding)}: ${error.message}`);
        else failures.push(error);
      }
    }
    // Also after failures: what is no longer granted must not stay because something else fails.
    failures.push(...(await removeOthers(definition, wanted, client)));
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} bindings failed`);

    const conditions = conditionsOf(definition, ['Ready']);
    if (refused.length > 0) {
      events.warning('GrantRefused', refused.join('; '), { action: 'Grant' });
      conditions.false('Ready', 'GrantRefused', refused.join('; '));
    } else if (missing.length > 0)
      conditions.false('Ready', 'NamespaceMissing', `namespaces do not exist: ${missing.join(', ')}`);
    else conditions.true('Ready', 'Granted', `${granted} bindings exist`);
    await client.applyStatus(RBACDefinition, key, { bindings: granted, conditions: conditions.toJSON() });
    // Nothing says when the operator has got the permission.
    if (refused.length > 0) return requeueAfter('1m');
  },
  async onError(definition, { message }, { client, key }) {
    const conditions = conditionsOf(definition, ['Ready']).false('Ready', 'ReconcileFailed', message);
    await client.mergeStatus(RBACDefinition, key, { conditions: conditions.toJSON() });
  },
});

function desiredOf(definition: RBACDefinition, namespaces: Parameters<typeof desiredBindings>[1]) {
  try {
    return desiredBindings(definition, namespaces);
  } catch (error) {
    if (error instanceof OpSdkError && error.code === 'runtime/invalid-selector') throw terminalError(error);
    throw error;
  }
}

/**
 * Writes a binding, in place of one of its name that grants another role.
 *
 * @allow manifests/grants-permissions The operator grants what an administrator has given it (README.md), and is refused the rest.
 * @throws Error if a binding of this name belongs to somebody else; it is left as it is
 */
async function grant(
  definition: Stored<RBACDefinition>,
  binding: DesiredBinding,
  client: ControllerClient,
): Promise<void> {
  const { namespace, name, roleRef } = binding;
  const object = bindingObject(definition, binding);
  const existing =
    namespace === undefined
      ? await client.find(ClusterRoleBinding, { name })
      : await client.find(RoleBinding, { namespace, name });
  if (existing !== undefined && ownerOf(existing) !== definition.metadata.uid)
    throw new Error(`${placeOf(binding)} exists and does not belong to this definition`);
  // Somebody made it again with another role, which cannot be changed.
  const isOther =
    existing !== undefined &&
    (existing.roleRef.kind !== roleRef.kind || existing.roleRef.name !== roleRef.name);
  if (namespace === undefined) {
    if (isOther) await client.delete(ClusterRoleBinding, { name }, { ignoreNotFound: true });
    await client.apply(ClusterRoleBinding, object);
  } else {
    if (isOther) await client.delete(RoleBinding, { namespace, name }, { ignoreNotFound: true });
    await client.apply(RoleBinding, object);
  }
}

/** Deletes the bindings of a definition that it no longer asks for. Returns what went wrong. */
async function removeOthers(
  { metadata }: Stored<RBACDefinition>,
  wanted: ReadonlySet<string>,
  client: ControllerClient,
): Promise<unknown[]> {
  const failures: unknown[] = [];
  const fail = (error: unknown) => void failures.push(error);
  for (const { metadata: each } of (await client.byIndex(roleBindings, metadata.uid)).items)
    if (!wanted.has(placeOf(each)))
      await client.delete(RoleBinding, each, { ignoreNotFound: true }).catch(fail);
  for (const { metadata: each } of (await client.byIndex(clusterRoleBindings, metadata.uid)).items)
    if (!wanted.has(placeOf(each)))
      await client.delete(ClusterRoleBinding, each, { ignoreNotFound: true }).catch(fail);
  return failures;
}

function placeOf({
  namespace,
  name,
}: {
  readonly namespace?: string | undefined;
  readonly name: string;
}): string {
  return namespace === undefined ? `ClusterRoleBinding ${name}` : `RoleBinding ${namespace}/${name}`;
}
