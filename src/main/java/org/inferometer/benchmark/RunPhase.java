package org.inferometer.benchmark;

import java.util.List;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.Request;

/// The requests of one phase of a run and how they arrive.
record RunPhase(Phase phase, List<Request> requests, ArrivalProcess arrivals) {}
