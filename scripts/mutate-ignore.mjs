import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

const isLog = ({ type, object, property }) =>
  type === 'MemberExpression' &&
  (object.name === 'log' || object.property?.name === 'log') &&
  ['debug', 'info', 'warn', 'error', 'fatal'].includes(property.name)

/** For Stryker: nothing is planted in what is logged. Nobody but an operator reads it, and no test should hold its words. */
export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'log', {
    shouldIgnore: path => {
      const its = path.isExpressionStatement() ? path.node.expression : path.node
      return its.type === 'CallExpression' && isLog(its.callee) ? 'It is only logged.' : undefined
    },
  }),
]
