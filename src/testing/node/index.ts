/**
 * Nodes for a test control plane: a scheduler and kubelets in this process, which pretend to run containers and write the statuses that
 * real ones would write, and controls by which tests make Pods and nodes fail.
 */
export { startNodes } from './start-nodes.ts';
export type { NodeOptions, TestNode, TestNodes } from './test-nodes.ts';
export type { PodDemand, PodSelector, TestPods } from './pod-control.ts';
export type { DrainOptions } from './drain-node.ts';
export type { ContainerExit } from './container-runtime.ts';
export type { ContainerProcess, ContainerToRun, Processes, ProcessFor } from './processes/run-processes.ts';
export type { ProgramSettings } from './processes/name-server.ts';
export type { ProcessHost } from './processes/pod-processes.ts';
export { kubeletClientName } from './kubelet-server.ts';
