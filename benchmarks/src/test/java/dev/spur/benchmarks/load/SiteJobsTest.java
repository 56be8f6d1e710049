package dev.spur.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SiteJobsTest {
    private final SiteJobs site = new SiteJobs(30);

    @Test
    void aJobThatStartsBeforeTheResponseToItsSubmissionEnds() {
        assertThat(site.starting("early").left()).isEqualTo(30);

        site.ended("early");
        site.accepted("early", 20);

        assertThat(site.active()).isZero();
        assertThat(site.ended()).isEqualTo(1);
    }

    @Test
    void aJobKeepsTheRunTimeOfItsSubmission() {
        site.accepted("usual", 20);

        assertThat(site.starting("usual").left()).isEqualTo(20);
        assertThat(site.active()).isEqualTo(1);
    }
}
