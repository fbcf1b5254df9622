import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

const isLog = ({ type, object, property }) =>
  type === 'MemberExpression' &&
  (object.name === 'log' || object.property?.name === 'log') &&
  ['debug', 'info', 'warn', 'error', 'fatal'].includes(property.name)

const logs = node => {
  if (node.type === 'ExpressionStatement') return logs(node.expression)
  if (node.type === 'ArrowFunctionExpression') return logs(node.body)
  if (node.type === 'BlockStatement') return node.body.length > 0 && node.body.every(logs)
  return node.type === 'CallExpression' && isLog(node.callee)
}

/** A Stryker plugin that creates no mutants of logging calls: only operators read the log, and tests should not depend on its wording. */
export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'log', {
    shouldIgnore: path => (logs(path.node) ? 'It is only logged.' : undefined),
  }),
]
