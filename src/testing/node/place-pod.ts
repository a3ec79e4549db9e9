import { labelRequirements, labelsMatch } from '../../base/util/label-selector.ts';
import { milliValue } from '../../base/util/quantity.ts';
import type {
  Affinity,
  Node,
  NodeSelectorTerm,
  Pod,
  PodAffinityTerm,
  Taint,
  Toleration,
  TopologySpreadConstraint,
} from '../../sdk/k8s/generated/core/v1.ts';

/** A node and the Pods on it that have not ended. */
export interface OccupiedNode {
  readonly node: Node;
  readonly pods: readonly Pod[];
}

/** Everything that decides where a Pod may run, besides the Pod. */
export interface SchedulingView {
  readonly nodes: readonly OccupiedNode[];
  /** Labels of a namespace, for the selectors of namespaces in affinities. */
  namespaceLabels(name: string): Readonly<Record<string, string>>;
  /** Reason for which the volumes of a Pod keep it from every node, in the words of the scheduler; undefined if they do not. */
  volumeReason(pod: Pod): string | undefined;
}

/** The node for a Pod, or the message of the condition PodScheduled, in the words of kube-scheduler. */
export type Placement = { readonly node: string } | { readonly message: string };

/** Reasons for which a Pod cannot run on a node. */
interface Rejection {
  readonly reasons: readonly string[];
  /** True if the Pod could run on the node after other Pods have left it. */
  readonly wouldFitEmpty: boolean;
}

/**
 * Chooses a node for a Pod with the filters of kube-scheduler's default profile: unschedulable nodes, taints, node affinity and selector,
 * host ports, requests against allocatable, volumes, topology spread, affinity between Pods. Among the remaining nodes, chooses the one
 * with the fewest Pods of the same owner, then the fewest Pods, then the first by name: there are no scores, priorities and preemption.
 * @see https://github.com/kubernetes/kubernetes/tree/master/pkg/scheduler/framework/plugins
 */
export function placePod(pod: Pod, view: SchedulingView): Placement {
  const waits = view.volumeReason(pod);
  if (waits !== undefined) return { message: onNoNode(view.nodes.length, waits) };
  const rejections: Rejection[] = [];
  const candidates: OccupiedNode[] = [];
  for (const occupied of view.nodes) {
    const rejection = rejectionOf(pod, occupied, view);
    if (rejection === undefined) candidates.push(occupied);
    else rejections.push(rejection);
  }
  const [best] = candidates.sort((a, b) => compare(rank(pod, a), rank(pod, b)));
  if (best !== undefined) return { node: best.node.metadata.name ?? '' };
  return { message: unschedulable(rejections) };
}

/** Source: kube-scheduler, `FitError.Error`. */
function unschedulable(rejections: readonly Rejection[]): string {
  if (rejections.length === 0) return 'no nodes available to schedule pods';
  const none = `0/${rejections.length} nodes are available:`;
  const preemption = rejections.map(({ wouldFitEmpty }) =>
    wouldFitEmpty
      ? 'No preemption victims found for incoming pod'
      : 'Preemption is not helpful for scheduling',
  );
  const reasons = counted(rejections.flatMap((rejection) => rejection.reasons));
  return `${none} ${reasons}. preemption: ${none} ${counted(preemption)}.`;
}

/** Returns the message for a reason that no node could remove. Source: kube-scheduler, PreFilter. */
function onNoNode(nodes: number, reason: string): string {
  const none = `0/${nodes} nodes are available:`;
  return `${none} ${reason}. preemption: ${none} ${nodes} Preemption is not helpful for scheduling.`;
}

function counted(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(', ');
}

function rank(pod: Pod, { node, pods }: OccupiedNode): readonly (number | string)[] {
  const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
  const siblings = pods.filter(({ metadata }) =>
    metadata.ownerReferences?.some(({ uid, controller }) => controller === true && uid === owner),
  );
  return [siblings.length, pods.length, node.metadata.name ?? ''];
}

function compare(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) < (b[at] ?? 0) ? -1 : 1;
}

/** Applies the filters in the order of the default profile; the first one that rejects the node gives the reasons. */
function rejectionOf(pod: Pod, occupied: OccupiedNode, view: SchedulingView): Rejection | undefined {
  const { node, pods } = occupied;
  const never = (reason: string): Rejection => ({ reasons: [reason], wouldFitEmpty: false });
  const perhaps = (reason: string): Rejection => ({ reasons: [reason], wouldFitEmpty: true });
  const { tolerations = [], affinity } = pod.spec ?? {};
  const cordoned: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  if (node.spec?.unschedulable === true && !tolerates(tolerations, cordoned))
    return never('node(s) were unschedulable');
  const taints = (node.spec?.taints ?? []).filter(({ effect }) => effect !== 'PreferNoSchedule');
  if (taints.some((taint) => !tolerates(tolerations, taint)))
    return never('node(s) had untolerated taint(s)');
  if (!matchesNode(pod, node)) return never("node(s) didn't match Pod's node affinity/selector");
  if (hostPorts([pod]).some((port) => hostPorts(pods).includes(port)))
    return perhaps("node(s) didn't have free ports for the requested pod ports");
  const lacking = insufficient(pod, occupied);
  if (lacking.length > 0) {
    return { reasons: lacking, wouldFitEmpty: insufficient(pod, { node, pods: [] }).length === 0 };
  }
  const spread = spreadReason(pod, node, view);
  if (spread !== undefined) return spread.endsWith('label)') ? never(spread) : perhaps(spread);
  return affinityRejection(pod, affinity, node, view, never, perhaps);
}

/** Returns true if one of the tolerations tolerates a taint. Source: `corev1.Toleration.ToleratesTaint`. */
export function tolerates(tolerations: readonly Toleration[], taint: Taint): boolean {
  return tolerations.some(({ key = '', operator = 'Equal', value = '', effect = '' }) => {
    if (effect !== '' && effect !== taint.effect) return false;
    if (key !== '' && key !== taint.key) return false;
    return operator === 'Exists' || (operator === 'Equal' && value === (taint.value ?? ''));
  });
}

/** Returns true if a node has the labels and fields that a Pod demands. Source: `nodeaffinity.RequiredNodeAffinity`. */
function matchesNode({ spec }: Pod, node: Node): boolean {
  const selected = labelsMatch(labelRequirements({ matchLabels: spec?.nodeSelector }), node.metadata.labels);
  const terms =
    spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return selected && (terms === undefined || terms.some((term) => matchesTerm(term, node)));
}

function matchesTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, node: Node): boolean {
  // A term without requirements matches nothing.
  if (matchExpressions.length + matchFields.length === 0) return false;
  const fields = { 'metadata.name': node.metadata.name ?? '' };
  return (
    labelsMatch(matchExpressions.map(nodeRequirement), node.metadata.labels) &&
    labelsMatch(matchFields.map(nodeRequirement), fields)
  );
}

type NodeRequirement = NonNullable<NodeSelectorTerm['matchExpressions']>[number];

function nodeRequirement({ key, operator, values = [] }: NodeRequirement): Requirement {
  const operators = {
    In: 'in',
    NotIn: 'notin',
    Exists: 'exists',
    DoesNotExist: '!',
    Gt: '>',
    Lt: '<',
  } as const;
  return { key, operator: operators[operator], values };
}

type Requirement = Parameters<typeof labelsMatch>[0][number];

function hostPorts(pods: readonly Pod[]): readonly string[] {
  return pods
    .flatMap(({ spec }) => [...(spec?.containers ?? []), ...sidecars(spec)])
    .flatMap(({ ports = [] }) => ports)
    .flatMap(({ hostPort = 0, protocol = 'TCP' }) => (hostPort === 0 ? [] : [`${protocol} ${hostPort}`]));
}

type PodSpec = NonNullable<Pod['spec']>;

function sidecars(spec: PodSpec | undefined): NonNullable<PodSpec['initContainers']> {
  return (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
}

/** Returns what a node lacks for a Pod. Source: `noderesources.fitsRequest`. */
function insufficient(pod: Pod, { node, pods }: OccupiedNode): readonly string[] {
  const allocatable = node.status?.allocatable ?? {};
  const have = (name: string): bigint => milliValue(allocatable[name] ?? 0);
  const wanted = podRequests(pod);
  const used = sum(pods.map(podRequests));
  const tooMany = BigInt(pods.length + 1) * 1000n > have('pods') ? ['Too many pods'] : [];
  const lacking = [...wanted].filter(
    ([name, value]) => value > 0n && value > have(name) - (used.get(name) ?? 0n),
  );
  return [...tooMany, ...lacking.map(([name]) => `Insufficient ${name}`)];
}

type Requests = ReadonlyMap<string, bigint>;

function sum(all: readonly Requests[]): Map<string, bigint> {
  const total = new Map<string, bigint>();
  for (const each of all) for (const [name, value] of each) total.set(name, (total.get(name) ?? 0n) + value);
  return total;
}

function greatest(all: readonly Requests[]): Map<string, bigint> {
  const result = new Map<string, bigint>();
  for (const each of all)
    for (const [name, value] of each) if (value > (result.get(name) ?? 0n)) result.set(name, value);
  return result;
}

/**
 * Returns the requests of a Pod: those of its containers and sidecars, or of an init container with the sidecars before it if that is more,
 * and its overhead. Source: `k8s.io/component-helpers/resource`, PodRequests.
 */
export function podRequests({ spec }: Pod): Requests {
  const requests = (given: Readonly<Record<string, string | number>> = {}): Requests =>
    new Map(Object.entries(given).map(([name, value]) => [name, milliValue(value)]));
  const running: Requests[] = [];
  const starting: Requests[] = [];
  for (const { restartPolicy, resources } of spec?.initContainers ?? []) {
    const own = requests(resources?.requests);
    if (restartPolicy === 'Always') running.push(own);
    starting.push(sum(restartPolicy === 'Always' ? running : [...running, own]));
  }
  const containers = (spec?.containers ?? []).map(({ resources }) => requests(resources?.requests));
  const highest = greatest([sum([...running, ...containers]), ...starting]);
  for (const [name, value] of requests(spec?.resources?.requests)) highest.set(name, value);
  return sum([highest, requests(spec?.overhead)]);
}

/** Source: `podtopologyspread`, filtering.go. */
function spreadReason(pod: Pod, node: Node, view: SchedulingView): string | undefined {
  const message = "node(s) didn't match pod topology spread constraints";
  for (const constraint of pod.spec?.topologySpreadConstraints ?? []) {
    if (constraint.whenUnsatisfiable !== 'DoNotSchedule') continue;
    const domain = node.metadata.labels?.[constraint.topologyKey];
    if (domain === undefined) return `${message} (missing required label)`;
    const counts = domainCounts(pod, constraint, view);
    const isBelowDomains = counts.size < (constraint.minDomains ?? 1);
    const least = isBelowDomains ? 0 : Math.min(...counts.values());
    const self = selects(constraint.labelSelector, pod) ? 1 : 0;
    if ((counts.get(domain) ?? 0) + self - least > constraint.maxSkew) return message;
  }
  return undefined;
}

/** Counts the Pods that a constraint selects in each domain of the nodes on which the Pod may run. */
function domainCounts(
  pod: Pod,
  { topologyKey, labelSelector, nodeTaintsPolicy }: TopologySpreadConstraint,
  view: SchedulingView,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { node, pods } of view.nodes) {
    const domain = node.metadata.labels?.[topologyKey];
    const isTainted = (node.spec?.taints ?? []).some(
      (taint) => taint.effect !== 'PreferNoSchedule' && !tolerates(pod.spec?.tolerations ?? [], taint),
    );
    if (domain === undefined || !matchesNode(pod, node) || (nodeTaintsPolicy === 'Honor' && isTainted))
      continue;
    const selected = pods.filter(
      (other) =>
        other.metadata.namespace === pod.metadata.namespace &&
        other.metadata.deletionTimestamp === undefined &&
        selects(labelSelector, other),
    );
    counts.set(domain, (counts.get(domain) ?? 0) + selected.length);
  }
  return counts;
}

function selects(selector: TopologySpreadConstraint['labelSelector'], { metadata }: Pod): boolean {
  // A missing selector selects nothing, an empty one everything.
  return selector !== undefined && labelsMatch(labelRequirements(selector), metadata.labels);
}

/** Source: `interpodaffinity`, filtering.go. */
function affinityRejection(
  pod: Pod,
  affinity: Affinity | undefined,
  node: Node,
  view: SchedulingView,
  never: (reason: string) => Rejection,
  perhaps: (reason: string) => Rejection,
): Rejection | undefined {
  const others = view.nodes.flatMap(({ node: at, pods }) => pods.map((other) => ({ other, at })));
  const matches = (term: PodAffinityTerm, owner: Pod, other: Pod): boolean =>
    inNamespaces(term, owner, other, view) && selects(term.labelSelector, other);
  const isNear = (term: PodAffinityTerm, at: Node): boolean => {
    const domain = node.metadata.labels?.[term.topologyKey];
    return domain !== undefined && at.metadata.labels?.[term.topologyKey] === domain;
  };
  const required = affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const isFirst = required.every(
    (term) => !others.some(({ other }) => matches(term, pod, other)) && matches(term, pod, pod),
  );
  const isNearAll = required.every((term) =>
    others.some(({ other, at }) => matches(term, pod, other) && isNear(term, at)),
  );
  const hasLabels = required.every((term) => node.metadata.labels?.[term.topologyKey] !== undefined);
  if (required.length > 0 && !(isNearAll || (isFirst && hasLabels)))
    return never("node(s) didn't match pod affinity rules");
  const excluded = affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  if (excluded.some((term) => others.some(({ other, at }) => matches(term, pod, other) && isNear(term, at))))
    return perhaps("node(s) didn't match pod anti-affinity rules");
  const isRefused = others.some(({ other, at }) =>
    (other.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).some(
      (term) => matches(term, other, pod) && isNear(term, at),
    ),
  );
  return isRefused ? perhaps("node(s) didn't satisfy existing pods anti-affinity rules") : undefined;
}

function inNamespaces(term: PodAffinityTerm, owner: Pod, other: Pod, view: SchedulingView): boolean {
  const { namespaces = [], namespaceSelector } = term;
  const namespace = other.metadata.namespace ?? '';
  if (namespaces.length === 0 && namespaceSelector === undefined)
    return namespace === owner.metadata.namespace;
  const isSelected =
    namespaceSelector !== undefined &&
    labelsMatch(labelRequirements(namespaceSelector), view.namespaceLabels(namespace));
  return namespaces.includes(namespace) || isSelected;
}
