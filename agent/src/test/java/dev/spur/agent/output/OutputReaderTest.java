package dev.spur.agent.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputReaderTest {
    private static final int MAX = 64 << 10;
    private static final String SECRET = "s3cr3t-".repeat(10);

    @TempDir
    private Path folder;

    private Path log;
    private Path earlier;
    private OutputReader reader;

    @BeforeEach
    void create() {
        log = folder.resolve("a.log");
        earlier = folder.resolve("a.log.1");
        reader = new OutputReader(log, earlier, SecretMask.of(Map.of("A_SECRET", SECRET), List.of()));
    }

    private void write(String text) throws IOException {
        write(text.getBytes(StandardCharsets.UTF_8));
    }

    private void write(byte[] bytes) throws IOException {
        Files.write(log, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Nested
    class AGrowingLog {
        @Test
        void isReadByCompleteLines() throws IOException {
            assertThat(reader.next(MAX, false)).isEmpty();
            write("one\ntwo");
            assertThat(reader.next(MAX, false)).isEqualTo("one\n");
            write(" and more\nthree");
            assertThat(reader.next(MAX, false)).isEqualTo("two and more\n");
            assertThat(reader.next(MAX, true)).isEqualTo("three\n");
            assertThat(reader.next(MAX, true)).isEmpty();
        }

        @Test
        void isSkippedWhereItGrowsTooFast() throws IOException {
            write("first\n");
            reader.next(MAX, false);
            write("x\n".repeat(1 << 20) + "last\n");

            assertThat(reader.next(MAX, false))
                    .startsWith("[spur: ")
                    .endsWith("x\nlast\n")
                    .hasSizeLessThan(MAX + 100);
        }

        @Test
        void continuesAfterARotation() throws IOException {
            write("before\n");
            reader.next(MAX, false);
            Files.move(log, earlier);
            write("a\n");

            assertThat(reader.next(MAX, false)).isEqualTo("a\n");
        }

        @Test
        void returnsTheStartOfALineThatDoesNotEnd() throws IOException {
            write("a".repeat(50 << 10));
            assertThat(reader.next(MAX, false))
                    .startsWith("aaaa")
                    .endsWith("(long line)\n")
                    .hasSizeLessThan(2000);
            write("b".repeat(50 << 10));
            assertThat(reader.next(MAX, false)).isEmpty();
            write("\nnext\n");
            assertThat(reader.next(MAX, false)).isEqualTo("next\n");
        }
    }

    @Nested
    class TheEndOfALog {
        @Test
        void includesTheEarlierPartAfterARotation() throws IOException {
            Files.writeString(earlier, "early\n");
            write("late\n");

            assertThat(reader.next(MAX, true)).endsWith("late\n");
            assertThat(new OutputReader(log, folder.resolve("none"), SecretMask.of(Map.of(), List.of()))
                            .next(MAX, true))
                    .isEqualTo("late\n");
        }

        @Test
        void hasNoPartOfASecretWhereverTheReadBegins() throws IOException {
            for (int shift = 0; shift < SECRET.length(); shift++) {
                Path cut = folder.resolve("cut-" + shift);
                Files.writeString(cut, (SECRET + " step 1 loss 2.5 ").repeat(2000) + "x".repeat(shift));
                String text = new OutputReader(cut, earlier, SecretMask.of(Map.of("A_SECRET", SECRET), List.of()))
                        .next(MAX, true);

                assertThat(text).doesNotContain("s3cr3t").doesNotContain("cr3t").contains("***");
            }
        }

        @Test
        void isBoundedAndValidForBinaryOutputInOneLine() throws IOException {
            byte[] noise = new byte[4 << 20];
            new Random(1).nextBytes(noise);
            for (int i = 0; i < noise.length; i++) {
                noise[i] = noise[i] == '\n' ? 0 : noise[i];
            }
            write(noise);

            String text = reader.next(MAX, true);

            assertThat(text).hasSizeLessThan(OutputText.MAX_LINE + 10);
            assertThat(text.chars().filter(c -> Character.isISOControl(c) && c != '\n' && c != '\t'))
                    .isEmpty();
            assertThat(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                    .isEqualTo(text);
        }
    }

    @Test
    void progressBarsAndColorsAreReducedToTheLastState() throws IOException {
        write("\u001b[31mred\u001b[0m\r\n 10%|#   |\r 50%|##  |\r100%|####|\ndone\u0007\n");

        assertThat(reader.next(MAX, true)).isEqualTo("red\n100%|####|\ndone\n");
    }
}
