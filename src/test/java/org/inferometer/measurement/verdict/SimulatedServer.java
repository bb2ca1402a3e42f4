package org.inferometer.measurement.verdict;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import org.apache.commons.statistics.distribution.GammaDistribution;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.units.Seed;
import org.inferometer.workload.RequestId;

/// Queues of known capacity as stand-ins for servers. Equal seeds give equal runs. Service times have the mean 1 s.
enum SimulatedServer {
    /// One server, exponential service: M/M/1, as a server that computes one request at a time.
    ONE(1, 1.0),
    /// Four servers, exponential service.
    FOUR(4, 1.0),
    /// 32 servers, lognormal service: a large batch.
    THIRTY_TWO(32, 0.7),
    /// Static batches of up to 8; a batch takes as long as its longest request.
    BATCHES(8, 0.7) {
        @Override
        void serve(Run run) {
            int n = run.due.length;
            double free = 0;
            for (int i = 0; i < n;) {
                free = Math.max(free, run.due[i]);
                int to = i;
                double longest = 0;
                while (to < n && to - i < places && run.due[to] <= free) {
                    longest = Math.max(longest, run.service[to++]);
                }
                longest *= run.slowing(i);
                for (int j = i; j < to; j++) {
                    run.first[j] = free + longest / 10;
                    run.end[j] = free + longest;
                }
                free += longest;
                i = to;
            }
        }
    },
    /// Continuous batching of up to 16 requests of about 20 tokens; a step is slower the more rows it has.
    CONTINUOUS(16, 0.7) {
        @Override
        void serve(Run run) {
            Deque<int[]> rows = new ArrayDeque<>();
            double now = 0;
            int next = 0;
            while (next < run.due.length || !rows.isEmpty()) {
                now = rows.isEmpty() ? Math.max(now, run.due[next]) : now;
                while (next < run.due.length && run.due[next] <= now && rows.size() < places) {
                    rows.add(new int[]{next, Math.max(1, (int) Math.round(20 * run.service[next])), 0});
                    next++;
                }
                now += (0.02 + 0.03 * rows.size() / places) * run.slowing(Math.min(next, run.due.length - 1));
                for (int row = rows.size(); row > 0; row--) {
                    int[] at = rows.remove();
                    if (at[2]++ == 0) {
                        run.first[at[0]] = now;
                    }
                    if (at[2] == at[1]) {
                        run.end[at[0]] = now;
                    } else {
                        rows.add(at);
                    }
                }
            }
        }
    };

    final int places;
    private final double spread;

    SimulatedServer(int places, double spread) {
        this.places = places;
        this.spread = spread;
    }

    /// One run, in seconds.
    static final class Run {
        final double[] due;
        final double[] service;
        final double[] first;
        final double[] end;
        private final double leak;

        Run(double[] due, double[] service, double leak) {
            this.due = due;
            this.service = service;
            this.first = new double[due.length];
            this.end = new double[due.length];
            this.leak = leak;
        }

        /// The factor by which the server is slower at a request: rises linearly to the leak.
        double slowing(int request) {
            return 1 + (leak - 1) * request / Math.max(1, due.length - 1);
        }

        List<RequestOutcome> outcomes() {
            List<RequestOutcome> outcomes = new ArrayList<>();
            for (int i = 0; i < due.length; i++) {
                long at = Math.round(due[i] * 1e9);
                long last = Math.round(end[i] * 1e9);
                outcomes.add(new RequestOutcome(new RequestId(i), false, 10, 2, at, at, at, at, last, RequestStatus.OK,
                        "", new long[]{Math.round(first[i] * 1e9), last}));
            }
            return outcomes;
        }
    }

    void serve(Run run) {
        PriorityQueue<Double> free = new PriorityQueue<>();
        for (int i = 0; i < places; i++) {
            free.add(0.0);
        }
        for (int i = 0; i < run.due.length; i++) {
            double start = Math.max(run.due[i], free.remove());
            double service = run.service[i] * run.slowing(i);
            run.first[i] = start + service / 10;
            run.end[i] = start + service;
            free.add(run.end[i]);
        }
    }

    /// Requests a second that it can serve, from 4,000 requests that come at once.
    double capacity() {
        Run run = new Run(new double[4000], services(new Seed(1).generator(), 4000), 1);
        serve(run);
        double[] ends = run.end.clone();
        Arrays.sort(ends);
        return 3200 / (ends[3600] - ends[400]);
    }

    /// A run of `n` requests at a rate.
    ///
    /// @param burstiness of a gamma process; 1 is Poisson, infinite is constant
    /// @param leak factor by which the server is slower at the end
    Run run(Seed seed, int n, double rate, double burstiness, double leak) {
        RandomGenerator random = seed.part("arrivals").generator();
        var gaps = Double.isInfinite(burstiness) ? null
                : GammaDistribution.of(burstiness, 1 / (rate * burstiness)).createSampler(random::nextLong);
        double[] due = new double[n];
        double at = 0;
        for (int i = 0; i < n; i++) {
            at += gaps == null ? 1 / rate : gaps.sample();
            due[i] = at;
        }
        Run run = new Run(due, services(seed.part("service").generator(), n), leak);
        serve(run);
        return run;
    }

    private double[] services(RandomGenerator random, int n) {
        double[] services = new double[n];
        for (int i = 0; i < n; i++) {
            services[i] = spread == 1 ? random.nextExponential()
                    : Math.exp(spread * random.nextGaussian() - spread * spread / 2);
        }
        return services;
    }
}
