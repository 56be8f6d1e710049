package dev.spur.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogUploaderTest {
    /** Lines that PyTorch 2.11, JAX 0.11 and CuPy 14.2 printed on an H100 when they exceeded its memory. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 4096.00 GiB. GPU 0 has a total capacity of 79.18 GiB",
                "jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 4.00TiB with allocator GPU_0_bfc",
                "cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 4,398,046,511,104 bytes (allocated so far: 0 bytes)."
            })
    void errorsOfDeviceAllocatorsAreRecognized(String line) {
        assertThat(LogUploader.exhaustedDevice("Traceback (most recent call last):\n" + line))
                .isTrue();
    }

    @Test
    void otherErrorsAreNot() {
        assertThat(LogUploader.exhaustedDevice("MemoryError: Unable to allocate 32.0 TiB for an array"))
                .isFalse();
    }
}
