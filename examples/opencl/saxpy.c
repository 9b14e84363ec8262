/* y = a x + y, as a host program in C. Exits with 1 if anything fails or a result is wrong. */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT 10000

static const char *source =
    "__kernel void saxpy(float a, __global const float *x, __global float *y)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    y[i] += a * x[i];\n"
    "}\n";

static void check(cl_int code, const char *what)
{
    if (code != CL_SUCCESS) {
        fprintf(stderr, "%s: OpenCL error %d\n", what, code);
        exit(1);
    }
}

int main(void)
{
    static float x[COUNT], y[COUNT];
    for (int i = 0; i < COUNT; i++) {
        x[i] = i;
        y[i] = 2 * i + 1;
    }
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    check(clGetPlatformIDs(1, &platform, NULL), "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL), "device");
    char name[200];
    check(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL), "name");
    printf("device: %s\n", name);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "context");
    cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
    check(code, "queue");
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(code, "program");
    if (clBuildProgram(program, 1, &device, "", NULL, NULL) != CL_SUCCESS) {
        static char log[10000];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "%s\n", log);
        return 1;
    }
    cl_kernel kernel = clCreateKernel(program, "saxpy", &code);
    check(code, "kernel");
    cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof x, x, &code);
    check(code, "x");
    cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof y, y, &code);
    check(code, "y");
    float a = 3;
    check(clSetKernelArg(kernel, 0, sizeof a, &a), "argument a");
    check(clSetKernelArg(kernel, 1, sizeof in, &in), "argument x");
    check(clSetKernelArg(kernel, 2, sizeof out, &out), "argument y");
    size_t count = COUNT;
    cl_event event;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, &event), "launch");
    check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof y, y, 0, NULL, NULL), "result");
    cl_ulong start, end;
    cl_uint megahertz;
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL), "start");
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL), "end");
    check(clGetDeviceInfo(device, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof megahertz, &megahertz, NULL), "clock");
    for (int i = 0; i < COUNT; i++)
        if (y[i] != 5 * i + 1) {
            fprintf(stderr, "y[%d] is %g; expected %d\n", i, y[i], 5 * i + 1);
            return 1;
        }
    printf("saxpy: correct; %d elements, %llu cycles\n", COUNT, (unsigned long long)(end - start) * megahertz / 1000);
    clReleaseEvent(event);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
