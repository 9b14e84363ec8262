// Debugs a kernel through `flexgrip dap`, with the client that Microsoft's adapters are tested with. `make dap-check` runs it.

'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { test, beforeEach, afterEach } = require('node:test');
const { DebugClient } = require('@vscode/debugadapter-testsupport');

const program = process.env.FLEXGRIP;
assert(program, 'FLEXGRIP is the program to check');
const kernel = path.resolve('kernels/stencil_1d');
const source = path.join(kernel, 'kernel.sass');
const lines = fs.readFileSync(source, 'utf8').split('\n');
const lineOf = (text) => 1 + lines.findIndex((line) => line.includes(text));

let client;

beforeEach(async () => {
    client = new DebugClient(program, 'dap', 'flexgrip');
    client.defaultTimeout = 60000;
    await client.start();
});
afterEach(() => client.stop());

// Sends a request that lets the kernel run, and waits for its stop.
async function go(request, threadId = 2) {
    const [stop] = await Promise.all([client.waitForEvent('stopped'), client[request]({ threadId })]);
    return stop.body;
}

async function entry(more = {}) {
    await Promise.all([
        client.launch({ kernel, stopOnEntry: true, ...more }),
        client.configurationSequence(),
        client.waitForEvent('stopped').then((stop) => assert.equal(stop.body.reason, 'entry')),
    ]);
}

async function frames(threadId) {
    return (await client.stackTraceRequest({ threadId })).body.stackFrames;
}

async function refused(request) {
    await assert.rejects(request);
}

for (const engine of ['model', 'rtl']) {
    test(`a breakpoint in the source is reached, on ${engine}`, async () => {
        const line = lineOf('SHL R2, R2, 7');
        await client.hitBreakpoint({ kernel, engine }, { path: source, line });
    });
}

test('a breakpoint on a comment moves to the next instruction', async () => {
    const line = lineOf('I2I.U32.U16 R1, R0L');
    const at = { path: source, line };
    await client.hitBreakpoint({ kernel }, { path: source, line: 1 }, at, at);
});

test('breakpoints of all kinds', async () => {
    await entry();
    const functions = await client.setFunctionBreakpointsRequest({ breakpoints: [{ name: 'bring', condition: 'of 1.2' }] });
    assert(functions.body.breakpoints[0].verified);
    let stop = await go('continueRequest');
    assert.equal(stop.reason, 'function breakpoint');
    assert.equal((await frames(stop.threadId))[0].name, 'bring');
    await client.setFunctionBreakpointsRequest({ breakpoints: [] });

    const listing = await client.disassembleRequest({ memoryReference: '0x0', instructionOffset: -1, instructionCount: 4 });
    const { address } = listing.body.instructions[3];
    assert.equal(listing.body.instructions.length, 4);
    await client.customRequest('setInstructionBreakpoints', { breakpoints: [{ instructionReference: address }] });
    stop = await go('reverseContinueRequest');
    assert.equal(stop.reason, 'instruction breakpoint');
    await client.customRequest('setInstructionBreakpoints', { breakpoints: [] });

    const info = await client.dataBreakpointInfoRequest({ name: 'R5' });
    await client.setDataBreakpointsRequest({ breakpoints: [{ dataId: info.body.dataId, condition: 'R5[*] > 0' }] });
    stop = await go('continueRequest');
    assert.equal(stop.reason, 'data breakpoint');
    await client.setDataBreakpointsRequest({ breakpoints: [] });

    await client.setExceptionBreakpointsRequest({ filters: ['divergence'] });
    stop = await go('continueRequest');
    assert.equal(stop.reason, 'exception');
    const exception = await client.exceptionInfoRequest({ threadId: stop.threadId });
    assert.equal(exception.body.exceptionId, 'divergence');

    const wrong = await client.setBreakpointsRequest({
        source: { path: source },
        breakpoints: [{ line: 100000 }, { line: 60, condition: 'R5 ~ 3' }],
    });
    assert(wrong.body.breakpoints.every((breakpoint) => !breakpoint.verified && breakpoint.message));
});

test('stacks, variables, memory', async () => {
    await client.hitBreakpoint({ kernel }, { path: source, line: lineOf('CAL bring') });
    const { threads } = (await client.threadsRequest()).body;
    assert(threads.length >= 4);
    const threadId = threads[0].id;
    await client.setBreakpointsRequest({ source: { path: source }, breakpoints: [] });
    await go('stepInRequest', threadId);
    const stack = await frames(threadId);
    assert.equal(stack.length, 2);
    const { scopes } = (await client.scopesRequest({ frameId: stack[0].id })).body;
    assert.deepEqual(scopes.map((scope) => scope.name).slice(0, 2), ['Lane 0', 'Lanes']);
    const { variablesReference } = scopes[0];
    const set = await client.setVariableRequest({ variablesReference, name: 'R5', value: '0x11' });
    assert.equal(set.body.value, '0x00000011');
    const { variables } = (await client.variablesRequest({ variablesReference })).body;
    assert.equal(variables.find((variable) => variable.name === 'R5').value, '0x00000011');
    const hover = await client.evaluateRequest({ expression: 'R5.s[0]', context: 'hover', frameId: stack[0].id });
    assert.equal(hover.body.result, '17 = 0x11');
    const repl = await client.evaluateRequest({ expression: 'lane 5', context: 'repl', frameId: stack[0].id });
    assert.match(repl.body.result, /lane 5/);

    const data = Buffer.from([1, 2, 3, 4]).toString('base64');
    await client.customRequest('writeMemory', { memoryReference: 'global', offset: 64, data });
    const read = await client.customRequest('readMemory', { memoryReference: '0x40', count: 4 });
    assert.equal(read.body.data, data);
    const stop = await go('stepOutRequest', threadId);
    assert.equal(stop.reason, 'step');
    assert.equal((await frames(threadId)).length, 1);
});

test('back, restart, the end', async () => {
    await entry();
    const where = async (threadId) => (await frames(threadId))[0].instructionPointerReference;
    const first = await where(2);
    await go('nextRequest');
    const second = await where(2);
    assert.notEqual(second, first);
    await go('stepBackRequest');
    assert.equal(await where(2), first);
    const [restarted] = await Promise.all([client.waitForEvent('stopped'), client.restartRequest({})]);
    assert.equal(restarted.body.reason, 'entry');
    const end = await go('continueRequest');
    assert.equal(end.description, 'the grid has ended');
    const back = await go('stepBackRequest', end.threadId);
    assert.equal(back.reason, 'step');
    await Promise.all([client.waitForEvent('terminated'), client.terminateRequest({})]);
});

test('bad requests are refused, and the session goes on', async () => {
    await refused(client.launchRequest({ kernel }));
    await refused(client.threadsRequest());
    await client.initializeRequest();
    await refused(client.launchRequest({ kernel: '/nowhere' }));
    await refused(client.launchRequest({ kernel, lanes: 9 }));
    const initialized = client.waitForEvent('initialized');
    await client.launchRequest({ kernel, stopOnEntry: true });
    await initialized;
    await Promise.all([client.waitForEvent('stopped'), client.configurationDoneRequest()]);
    await refused(client.customRequest('dance'));
    await refused(client.nextRequest({}));
    await refused(client.nextRequest({ threadId: 'two' }));
    await refused(client.stackTraceRequest({ threadId: 100000 }));
    await refused(client.variablesRequest({ variablesReference: 100000 }));
    await refused(client.evaluateRequest({ expression: 'stpe', context: 'repl' }));
    assert((await client.threadsRequest()).body.threads.length > 0);
});
