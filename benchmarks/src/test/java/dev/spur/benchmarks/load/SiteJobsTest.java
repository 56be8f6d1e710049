package dev.spur.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SiteJobsTest {
    private final SiteJobs site = new SiteJobs(30);

    @Test
    void aJobThatStartsBeforeTheResponseToItsSubmissionEnds() {
        assertThat(site.starting("early").remaining()).isEqualTo(30);

        site.remove("early");
        site.add("early", 20);

        assertThat(site.active()).isZero();
        assertThat(site.endedJobs()).isEqualTo(1);
    }

    @Test
    void aJobKeepsTheRunTimeOfItsSubmission() {
        site.add("usual", 20);

        assertThat(site.starting("usual").remaining()).isEqualTo(20);
        assertThat(site.active()).isEqualTo(1);
    }
}
