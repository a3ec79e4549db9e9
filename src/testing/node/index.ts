/**
 * Nodes for a test control plane: a scheduler and kubelets in this process, which pretend to run containers and write the statuses that
 * real ones would write, and controls by which tests make Pods and nodes fail.
 */
export { startNodes, type NodeOptions, type TestNode, type TestNodes } from './start-nodes.ts';
export type { PodDemand, PodSelector, TestPods } from './pod-control.ts';
export type { ContainerExit } from './container-runtime.ts';
