// The objects of deploy/kubernetes are valid for the API, and fit each other and the service.

import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse, parseAllDocuments } from 'yaml'
import { variables } from '#src/config/variables.js'
import { root } from './fixtures/markdown.js'

type Tree = any
interface Model { prototype: { validate: () => void } }

const require = createRequire(import.meta.url)
const folder = join(root, 'deploy/kubernetes')
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
const kubectl = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8' })
const kustomization = parse(read('kustomization.yaml'))
const texts: string[] = kubectl.error ? kustomization.resources.map(read) : [kubectl.stdout]
const objects: Tree[] = texts.flatMap(text => parseAllDocuments(text).map(document => document.toJS()))
const find = (kind: string, name = 'gatehouse'): Tree =>
  objects.find(object => object.kind === kind && object.metadata.name === name)

t.test('kubectl renders all of it', { skip: kubectl.error ? 'kubectl is not on PATH' : false }, async (t) => {
  t.equal(kubectl.status, 0, kubectl.stderr)
  t.equal(kubectl.stderr, '', 'and warns of nothing')
  for (const { kind, metadata } of objects) t.ok(kind === 'Namespace' || metadata.namespace === 'gatehouse', kind)
  t.ok(objects.filter(({ kind }) => kind === 'ConfigMap').length === 2)
  t.notMatch(kubectl.stdout, /image: gatehouse$/m, 'images come from a registry')
})

t.test('each object is valid by the schema of its API, and has no field that the schema does not know', async (t) => {
  // What kubectl makes of files is looked at above.
  t.same(objects.map(({ kind }) => kind).filter(kind => kind !== 'ConfigMap').sort(), [
    'Deployment', 'HorizontalPodAutoscaler', 'Job', 'Namespace', 'NetworkPolicy', 'PodDisruptionBudget', 'Service',
    'Service', 'ServiceMonitor'
  ])
  for (const object of objects) t.same(faultsOf(object), [], `${object.kind} ${object.metadata.name}`)
})

t.test('replicas run without rights, are probed on the operations port, and have time to stop', async (t) => {
  const pod = find('Deployment').spec.template.spec
  const [container] = pod.containers
  for (const { securityContext, containers } of [pod, find('Job', 'gatehouse-migrate').spec.template.spec]) {
    t.match(securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    t.match(containers[0].securityContext, {
      readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }
    })
    t.ok(containers[0].resources.requests.cpu && containers[0].resources.limits.memory)
  }
  t.match(container, {
    livenessProbe: { httpGet: { path: '/livez', port: 'ops' } },
    readinessProbe: { httpGet: { path: '/readyz?database=optional', port: 'ops' } }
  })
  t.match(container.ports, [{ name: 'http', containerPort: 3000 }, { name: 'ops', containerPort: 9464 }])

  const [, delay] = /const GRACE_MS = ([\d_]+)/.exec(read('../../src/server.ts'))!
  const graceMs = Number(delay!.replaceAll('_', ''))
  const preStopSeconds = Number(container.lifecycle.preStop.exec.command[1])
  t.ok(pod.terminationGracePeriodSeconds > preStopSeconds + graceMs / 1000)
  const { periodSeconds, failureThreshold } = container.readinessProbe
  t.ok(periodSeconds * failureThreshold <= preStopSeconds, 'who fails is not asked any more before the signal comes')
})

t.test('what refers to another object finds it, and settings are those of the service', async (t) => {
  const deployment = find('Deployment')
  const labels = deployment.spec.template.metadata.labels
  for (const selector of [
    deployment.spec.selector.matchLabels, find('PodDisruptionBudget').spec.selector.matchLabels,
    find('Service').spec.selector, find('Service', 'gatehouse-ops').spec.selector
  ]) t.same(selector, labels)
  t.match(find('Service', 'gatehouse-ops').metadata.labels, find('ServiceMonitor').spec.selector.matchLabels)
  t.equal(find('Service', 'gatehouse-ops').metadata.labels[find('ServiceMonitor').spec.jobLabel], 'gatehouse')
  t.equal(deployment.spec.replicas, undefined, 'the HorizontalPodAutoscaler says how many')
  t.match(find('HorizontalPodAutoscaler').spec.scaleTargetRef, { kind: 'Deployment', name: deployment.metadata.name })

  const settings = kustomization.configMapGenerator[0].literals.map((literal: string) => literal.split('=')[0])
  for (const name of settings) t.ok(name in variables, name)
  const secrets = [...read('../../docs/scale.md').matchAll(/--from-literal=(\w+)=/g)].map(([, name]) => name!)
  for (const name of ['DATABASE_URL', 'REDIS_URL', 'JWT_SECRET']) t.ok(secrets.includes(name), name)
  for (const name of secrets) t.ok(name in variables, name)
})

/** Faults by the schema, and paths that validating did not read, which are fields that the schema does not know. */
function faultsOf (object: Tree): string[] {
  const [group, version] = object.apiVersion.includes('/') ? object.apiVersion.split('/') : ['', object.apiVersion]
  const models = group === 'monitoring.coreos.com' ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models'
  const place = [models, group, version].filter(part => part !== '').join('/')
  const Model = (require(place) as Record<string, Model>)[object.kind as string]
  if (!Model) return [`${place} has no ${object.kind}`]
  const unread = new Set<string>()
  try {
    // Constructing a model copies the object, which would read everything.
    Model.prototype.validate.call(watch(object, '', unread))
  } catch (error) {
    return [(error as Error).message]
  }
  return [...unread].map(path => `${path} is unknown`)
}

/** Wraps the object, so that `unread` has all paths that were not read. */
function watch (tree: Tree, path: string, unread: Set<string>): Tree {
  if (typeof tree !== 'object' || tree === null) return tree
  const children = Object.fromEntries(Object.entries(tree).map(([key, value]) => {
    unread.add(`${path}/${key}`)
    return [key, watch(value, `${path}/${key}`, unread)]
  }))
  return new Proxy(Array.isArray(tree) ? Object.values(children) : children, {
    get (target, key) {
      if (typeof key === 'string') unread.delete(`${path}/${key}`)
      return Reflect.get(target, key)
    }
  })
}

t.end()
